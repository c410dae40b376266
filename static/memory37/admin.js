/* Behaviour of our admin pages. Everything works without it but live preview, live progress and convenience. */
(() => {
  "use strict";

  const csrf = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";

  const debounce = (action, wait) => {
    let timer;
    return (...given) => { clearTimeout(timer); timer = setTimeout(() => action(...given), wait); };
  };

  function startPreview(form) {
    const body = form.querySelector("[data-preview-source]");
    const target = form.querySelector("[data-preview-target]");
    const count = form.querySelector("[data-token-count]");
    if (!body || !target) return;
    let latest = 0;
    const refresh = async () => {
      const turn = ++latest;
      try {
        const answer = await fetch(form.dataset.previewUrl, {
          method: "POST",
          headers: { "X-CSRFToken": csrf(), "Content-Type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ text: body.value }),
        });
        if (turn !== latest) return;
        if (!answer.ok) throw new Error(String(answer.status));
        const { html, tokens, characters } = await answer.json();
        target.innerHTML = html;
        count.textContent = `${tokens.toLocaleString()} tokens · ${characters.toLocaleString()} characters`;
      } catch {
        if (turn === latest) count.textContent = "The count is out of reach for the moment; it will come with the next change.";
      }
    };
    body.addEventListener("input", debounce(refresh, 350));
    refresh();
  }

  function startRows(list) {
    const template = list.querySelector("template");
    const bind = (row) => row.querySelector("[data-remove]")?.addEventListener("click", () => row.remove());
    list.querySelectorAll(".m-rows > div").forEach(bind);
    list.querySelector("[data-add]")?.addEventListener("click", () => {
      const row = template.content.firstElementChild.cloneNode(true);
      list.querySelector(".m-rows").append(row);
      bind(row);
      row.querySelector("input, textarea").focus();
    });
  }

  function startProgress(panel) {
    const step = panel.querySelector("[data-step]");
    const bar = panel.querySelector("[data-bar]");
    const was = panel.dataset.stamp;
    const ask = async () => {
      try {
        const answer = await fetch(panel.dataset.progressUrl, { headers: { Accept: "application/json" } });
        if (answer.ok) {
          const now = await answer.json();
          if (now.stamp !== was) { location.reload(); return; }
          if (step) step.textContent = now.step;
          if (bar) { bar.style.width = `${now.percent}%`; bar.parentElement.setAttribute("aria-valuenow", now.percent); }
        }
      } catch { /* the server is being restarted: the next round asks again */ }
      setTimeout(ask, 1500);
    };
    setTimeout(ask, 800);
  }

  function startDiffToggle(button) {
    const page = document.querySelector("[data-diff-view]");
    const show = (view) => {
      page.dataset.diffView = view;
      button.textContent = view === "side" ? "Show inline" : "Show side by side";
      button.setAttribute("aria-pressed", String(view === "side"));
    };
    let view = "inline";
    try { view = localStorage.getItem("memory37-diff-view") || "inline"; } catch { view = "inline"; }
    show(view);
    button.addEventListener("click", () => {
      view = view === "side" ? "inline" : "side";
      show(view);
      try { localStorage.setItem("memory37-diff-view", view); } catch { /* private browsing: not remembered */ }
    });
  }

  function startTypedConfirmation(form) {
    const field = form.querySelector("[data-typed]");
    const button = form.querySelector("[type=submit]");
    const check = () => { button.disabled = field.value.trim() !== field.dataset.typed; };
    field.addEventListener("input", check);
    check();
  }

  function startCopy(button) {
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    });
  }

  function guardUnsaved(form) {
    let changed = false;
    form.addEventListener("input", () => { changed = true; });
    form.addEventListener("submit", () => { changed = false; });
    window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
  }

  // On a narrow screen the rows of a wide table become cards (admin.css): each cell then says its column's name.
  function labelCells(table) {
    const heads = [...table.querySelectorAll(":scope > thead > tr > th")];
    const words = heads.filter((head) => !head.classList.contains("m-number"));
    if (heads.length < 3 || words.length < 2) return;
    table.classList.add("m-stacked");
    table.querySelectorAll(":scope > tbody > tr").forEach((row) => [...row.cells].forEach((cell, index) => {
      const label = row.cells.length === heads.length ? heads[index].textContent.trim() : "";
      if (label) cell.dataset.label = label;
    }));
  }

  /* Keeps what is written on the server every few seconds and on leaving; in this browser while the server refuses. */
  function startAutosave(form) {
    const { autosaveUrl: url, autosaveTarget: target } = form.dataset;
    const place = `memory37-unsaved:${form.dataset.autosaveUser}:${target}`;
    const state = form.querySelector("[data-autosave-state]");
    let changed = false;
    let sent = false;
    let last = Promise.resolve(true);
    const say = (words) => { if (state) state.textContent = words; };
    const read = () => { const data = new URLSearchParams(new FormData(form)); data.set("autosave_target", target); return data; };
    const keepHere = () => {
      const data = read();
      data.delete("csrfmiddlewaretoken");
      try { localStorage.setItem(place, data.toString()); return true; } catch { return false; }
    };
    const send = async (data) => {
      const answer = await fetch(url, { method: "POST", headers: { "X-CSRFToken": csrf() }, body: data, redirect: "manual" });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    };
    const keep = () => {
      changed = false;
      last = last.then(async () => {
        try {
          const { saved_at: time } = await send(read());
          localStorage.removeItem(place);
          say(`Kept at ${new Date(time).toLocaleTimeString()}, not saved yet`);
          return true;
        } catch {
          changed = true;
          const isHere = keepHere();
          say(`You are signed out, or the server is away. ${isHere ? "Your words are kept in this browser" : "Copy your words"}: sign in in another tab, then open this form again.`);
          return false;
        }
      });
      return last;
    };
    const later = debounce(() => { if (changed && !sent) keep(); }, 2500);
    const touch = () => { changed = true; later(); };
    form.addEventListener("input", touch);
    form.addEventListener("click", (event) => { if (event.target.closest("[data-remove], [data-add]")) touch(); });
    form.addEventListener("submit", async (event) => {
      if (sent) return;
      event.preventDefault();
      if (!(await keep())) return;
      sent = true;
      form.requestSubmit(event.submitter || undefined);
    });
    const leave = () => {
      if (!changed || sent) return;
      changed = false;
      if (!navigator.sendBeacon(url, read())) keepHere();
    };
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") leave(); });
    window.addEventListener("pagehide", leave);
    window.addEventListener("pageshow", (event) => { if (event.persisted) sent = false; });
    let kept = null;
    try { kept = localStorage.getItem(place); } catch { kept = null; }
    if (kept) send(new URLSearchParams(kept)).then(() => { localStorage.removeItem(place); location.reload(); }).catch(() => say("What you wrote before is kept in this browser; it could not be brought back yet."));
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("form[data-autosave-url]").forEach(startAutosave);
    document.querySelectorAll("table.m-table").forEach(labelCells);
    document.querySelectorAll("form[data-preview-url]").forEach(startPreview);
    document.querySelectorAll("[data-rows]").forEach(startRows);
    document.querySelectorAll("[data-progress-url]").forEach(startProgress);
    document.querySelectorAll("[data-diff-toggle]").forEach(startDiffToggle);
    document.querySelectorAll("form[data-confirm]").forEach(startTypedConfirmation);
    document.querySelectorAll("[data-copy]").forEach(startCopy);
    document.querySelectorAll("form[data-guard]").forEach(guardUnsaved);
    document.querySelectorAll("[data-check-all]").forEach((box) => box.addEventListener("change", () => {
      box.closest("form").querySelectorAll("input[type=checkbox][name]").forEach((each) => { each.checked = box.checked; });
    }));
    document.querySelectorAll("select[data-submit-on-change]").forEach((select) => select.addEventListener("change", () => select.form.submit()));
  });
})();
