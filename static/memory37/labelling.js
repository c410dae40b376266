/* The labelling screen by keys and without reloading. Without it every button is a form of its own.
   Keys are an interface, held by a test: 1 2 3 4 5, Z undo, S skip, ? guide. */
(() => {
  "use strict";

  const root = document.getElementById("labelling");
  if (!root) return;
  const KEEP_MS = 20_000;
  const last = document.getElementById("label-last");
  const notice = document.getElementById("label-notice");
  const queue = root.dataset.queue ? { queue: root.dataset.queue } : {};
  let shownAt = performance.now();
  let ahead = null;      // the next item, fetched while this one is read
  let given = 0;         // verdicts so far: an answer that comes behind a newer one is not shown
  let isBusy = false;    // a verdict is on its way and nothing is on the screen to judge
  let isActing = false;  // an undo or a skip is on its way
  const underWay = new Set();  // verdicts on their way: an undo waits, or it would undo the label before

  const item = () => document.getElementById("label-item");
  const csrf = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";
  const say = (words, kind = "orange") => {
    notice.replaceChildren();
    if (!words) return;
    const note = document.createElement("div");
    note.className = `m-note m-note-${kind}`;
    note.textContent = words;
    notice.append(note);
  };
  const build = (query) => `${root.dataset.url}?${new URLSearchParams({ ...queue, ...query })}`;
  const post = (url, data, keepalive = false) => fetch(url, {
    method: "POST", body: new URLSearchParams(data), keepalive,
    headers: { "X-CSRFToken": csrf(), Accept: "application/json" },
  });

  /* Once the verdict before is kept: until then its item counts as open, and would come again. */
  const fetchAhead = (kept = Promise.resolve()) => {
    const open = item();
    ahead = open && kept
      .then(() => fetch(build({ fragment: 1, beside: open.dataset.lease }), { headers: { Accept: "text/html" } }))
      .then((answer) => (answer.status === 200 && !answer.redirected ? answer.text() : null))
      .catch(() => null);
  };

  /* Puts the item that was fetched ahead on the screen; false where there is none. */
  const showAhead = async (kept) => {
    const html = await ahead;
    const open = item();
    if (!html || !open) return false;
    const holder = document.createElement("div");
    holder.innerHTML = html;
    const next = holder.querySelector("#label-item");
    if (!next || next.dataset.lease === open.dataset.lease) return false;
    open.replaceWith(next);
    shownAt = performance.now();
    root.dataset.shown = String(Number(root.dataset.shown || 0) + 1);
    next.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
    keep({ shown: 1 });
    fetchAhead(kept);
    return true;
  };

  const goOn = async (url) => { if (!(await showAhead())) location.assign(url || build({})); };

  /* One try more where the network failed; a verdict that the server refuses is told. */
  const send = async (form, data) => {
    for (let left = 2; ; left--) {
      try {
        const answer = await post(form.action, data, true);
        const told = await answer.json();
        return answer.ok ? told : { refused: told.detail, code: told.code };
      } catch {
        if (!left) return { refused: "The server can't be reached: your last verdict was not kept." };
        await new Promise((wake) => { setTimeout(wake, 700); });
      }
    }
  };

  /* Verdicts are kept in the order in which they are given: an undo takes back the last. Who leaves the page waits for
     nothing. */
  const leaving = new Promise((leave) => { addEventListener("pagehide", leave, { once: true }); });
  let before = Promise.resolve();
  const sendInTurn = (form, data) => {
    const sent = Promise.race([before, leaving]).then(() => send(form, data));
    before = sent;
    return sent;
  };

  const judge = async (form, verdict) => {
    if (isBusy || isActing) return;
    const giving = give(form, verdict);
    underWay.add(giving);
    try { await giving; } finally { underWay.delete(giving); }
  };

  /* True where the verdict is kept and the page stays. */
  const give = async (form, verdict) => {
    if (verdict === "missed" && !form.ownerDocument.querySelector("input[name=missed]:checked")) {
      const first = document.querySelector("#label-item input[name=missed]");
      if (first) { first.checked = true; first.focus(); }
      say("Mark the message that states it (arrow keys), then press 2 or Enter.", "blue");
      return true;
    }
    isBusy = true;
    say("");
    const open = item();
    form.elements.seconds.value = String(Math.round((performance.now() - shownAt) / 1000));
    const data = { ...Object.fromEntries(new FormData(form)), verdict };
    const waits = open.hasAttribute("data-live") && !["correct", "cannot_tell"].includes(verdict);
    const place = ++given;
    const sent = sendInTurn(form, data);
    const isShown = !waits && await showAhead(sent);
    isBusy = !isShown;
    const told = await sent;
    isBusy = false;
    if (told.refused) { say(told.refused); if (!isShown) goOn(); return false; }
    if (place === given) last.innerHTML = told.last || "";
    if (told.today !== undefined) document.getElementById("labelled-today").textContent = told.today;
    if (told.ask || !isShown) { location.assign(told.next); return false; }
    return true;
  };

  const act = async (form) => {
    if (isBusy || isActing || !form) return;
    isActing = true;
    const areKept = await Promise.all(underWay);
    const told = areKept.every(Boolean) && await send(form, Object.fromEntries(new FormData(form)));
    isActing = false;
    if (!told) return;
    if (told.refused) { say(told.refused); return; }
    if (form.id === "skip-form") { await goOn(told.next); return; }
    location.assign(told.next);
  };

  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "label-form") {
      event.preventDefault();
      judge(form, event.submitter?.value || "missed");
    } else if (form.id === "skip-form" || form.id === "undo-form") {
      event.preventDefault();
      act(form);
    }
  });

  /* By the place of the key, too: Z and S are elsewhere on Russian and Arabic keyboards. */
  const readKey = (event) => {
    if (event.key === "?") return "?";
    const digit = /^(?:Digit|Numpad)([1-5])$/.exec(event.code);
    if (/^[1-5]$/.test(event.key)) return event.key;
    if (digit && !event.shiftKey) return digit[1];
    const letter = event.key.toLowerCase();
    if (letter === "z" || letter === "s") return letter;
    return /^[a-y]$/.test(letter) ? "" : { KeyZ: "z", KeyS: "s" }[event.code] || "";
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
    if (event.target.closest?.("input:not([type=radio]), textarea, select, [contenteditable]")) return;
    const key = readKey(event);
    if (!key) return;
    if (key === "?") { event.preventDefault(); document.getElementById("label-guide").click(); return; }
    if (key === "z") { event.preventDefault(); act(document.getElementById("undo-form")); return; }
    if (key === "s") { event.preventDefault(); act(document.getElementById("skip-form")); return; }
    const button = item()?.querySelector(`[data-key="${key}"]`);
    if (button) { event.preventDefault(); judge(document.getElementById("label-form"), button.value); }
  });

  /* Asks whether the item on the screen is still ours, and tells where it is not. An item that was fetched ahead may
     have waited for long: it is asked about at once, with `shown`. */
  const keep = async (how = {}) => {
    const open = item();
    if (!open) return;
    try {
      const answer = await post(root.dataset.keepUrl, { lease: open.dataset.lease, ...how });
      const { state } = await answer.json();
      if (item() !== open || isBusy || isActing) return;
      if (state === "lost") say("Others have this item by now. You may still label it: your label is kept beside theirs.");
      if (state === "gone") await leaveGone();
    } catch { /* the next round asks again */ }
  };
  const leaveGone = async () => {
    isActing = true;
    try { await goOn(build({})); } finally { isActing = false; }
    say("The last item's words were forgotten: it is gone from the queue.", "blue");
  };
  const keepWhileSeen = () => { if (!isBusy && !isActing && !document.hidden) keep(); };
  setInterval(keepWhileSeen, KEEP_MS);
  document.addEventListener("visibilitychange", keepWhileSeen);
  root.addEventListener("labelling:keep", keepWhileSeen);

  if (item()) { keep({ shown: 1 }); item().focus({ preventScroll: true }); }
  fetchAhead();
})();
