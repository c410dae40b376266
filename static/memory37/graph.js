/* Draws the graph of a world. The table on the page says the same without it. */
(() => {
  "use strict";

  const COLOURS = {
    character: "#b45309", place: "#0f766e", item: "#7c3aed", faction: "#be123c", event: "#1d4ed8", term: "#4d7c0f", rule: "#57534e",
  };
  const OTHER_COLOUR = "#64748b";
  const LAYOUT = { name: "cose", animate: false, randomize: false, nodeRepulsion: () => 60000, idealEdgeLength: () => 80, nodeOverlap: 12, padding: 24, numIter: 800 };

  const colourOf = (kind) => COLOURS[kind] || OTHER_COLOUR;
  const isDark = () => document.documentElement.classList.contains("dark");

  const buildStyle = () => {
    const text = isDark() ? "#e7e5e4" : "#292524";
    const line = isDark() ? "#57534e" : "#c7c3be";
    return [
      { selector: "node", style: {
        "background-color": (node) => colourOf(node.data("kind")), label: "data(name)", color: text, "font-size": 9,
        "text-valign": "bottom", "text-margin-y": 3, "text-max-width": 90, "text-wrap": "ellipsis", "min-zoomed-font-size": 6,
        width: (node) => 10 + Math.min(26, 3 * Math.sqrt(node.degree(false))), height: (node) => 10 + Math.min(26, 3 * Math.sqrt(node.degree(false))),
      } },
      { selector: "edge", style: { width: 1, "line-color": line, "curve-style": "haystack", opacity: 0.8 } },
      { selector: ".near", style: { "border-width": 2, "border-color": text } },
      { selector: "edge.near", style: { width: 2.5, "line-color": text, opacity: 1 } },
      { selector: ".chosen", style: { "border-width": 4, "border-color": text, "font-size": 13, "font-weight": "bold", "z-index": 9 } },
      { selector: ".away", style: { opacity: 0.15 } },
      { selector: ".hidden", style: { display: "none" } },
    ];
  };

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };

  async function start(canvas) {
    const status = document.querySelector("[data-graph-status]");
    const table = document.querySelector("[data-graph-table]");
    const find = (name) => document.querySelector(`[data-graph-${name}]`);
    let data;
    try {
      const answer = await fetch(canvas.dataset.url, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      data = await answer.json();
    } catch {
      status.textContent = "The picture could not be loaded. The table below says the same.";
      return;
    }
    const graph = window.cytoscape({
      container: canvas, style: buildStyle(), minZoom: 0.15, maxZoom: 4,
      elements: [
        ...data.entities.map((each) => ({ data: { ...each, id: `n${each.id}` } })),
        ...data.relations.map((each) => ({ data: { id: `e${each.id}`, source: `n${each.from}`, target: `n${each.to}`, predicate: each.predicate, text: each.text } })),
      ],
    });
    graph.layout(LAYOUT).run();
    canvas.graph = graph;
    let chosen = null;

    const show = (node) => {
      const edges = node.connectedEdges(":visible");
      const list = element("ul");
      const told = new Set(); // two articles may state one thing
      edges.forEach((edge) => {
        const other = edge.source().same(node) ? edge.target() : edge.source();
        const said = `${edge.data("predicate")} ${edge.source().same(node)} ${other.id()}`;
        if (told.has(said) || told.size === 30) return;
        told.add(said);
        const item = element("li", edge.source().same(node) ? `${edge.data("predicate")} → ` : `← ${edge.data("predicate")} `);
        item.append(element("a", other.data("name"), { href: other.data("url"), dir: "auto" }));
        list.append(item);
      });
      const title = element("h2");
      title.append(element("a", node.data("name"), { href: node.data("url"), dir: "auto" }));
      status.replaceChildren(title, element("span", `${node.data("kind")}, ${told.size} relations`, { class: "m-subtle" }), list);
    };

    const choose = (node, centre = true) => {
      graph.elements().removeClass("chosen near away");
      chosen = node;
      const near = node.closedNeighborhood();
      graph.elements().not(near).addClass("away");
      near.addClass("near");
      node.addClass("chosen");
      if (centre) graph.animate({ center: { eles: node }, duration: 0 });
      show(node);
    };

    const filter = () => {
      const kind = find("kind").value;
      const predicate = find("predicate").value;
      graph.batch(() => {
        graph.elements().removeClass("hidden");
        graph.edges().forEach((edge) => {
          const fits = (!predicate || edge.data("predicate") === predicate) && (!kind || edge.source().data("kind") === kind || edge.target().data("kind") === kind);
          edge.toggleClass("hidden", !fits);
        });
        graph.nodes().forEach((node) => {
          const joined = node.connectedEdges().some((edge) => !edge.hasClass("hidden"));
          node.toggleClass("hidden", !((!kind && !predicate) || joined || (!predicate && node.data("kind") === kind)));
        });
      });
      table.querySelectorAll("tbody tr[data-relation]").forEach((row) => {
        row.hidden = graph.getElementById(`e${row.dataset.relation}`).hasClass("hidden");
      });
      graph.fit(graph.elements(":visible"), 24);
    };

    const step = (key) => {
      const nodes = (chosen ? chosen.neighborhood("node:visible") : graph.nodes(":visible"));
      if (!nodes.length) return;
      if (!chosen) { choose(nodes.max((node) => node.degree(false)).ele); return; }
      const here = chosen.position();
      const [x, y] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
      const best = nodes.max((node) => {
        const there = node.position();
        const [dx, dy] = [there.x - here.x, there.y - here.y];
        return (dx * x + dy * y) / (Math.hypot(dx, dy) || 1);
      });
      choose(best.ele);
    };

    canvas.addEventListener("keydown", (event) => {
      if (event.key.startsWith("Arrow")) step(event.key);
      else if (event.key === "Enter" && chosen) location.assign(chosen.data("url"));
      else if (event.key === "+" || event.key === "-") graph.zoom({ level: graph.zoom() * (event.key === "+" ? 1.25 : 0.8), renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
      else if (event.key === "Escape") { graph.elements().removeClass("chosen near away"); chosen = null; status.textContent = "Choose an entity."; graph.fit(undefined, 24); }
      else return;
      event.preventDefault();
    });
    graph.on("tap", "node", (event) => choose(event.target, false));
    graph.on("dbltap", "node", (event) => location.assign(event.target.data("url")));
    find("kind").addEventListener("change", filter);
    find("predicate").addEventListener("change", filter);
    find("find").addEventListener("input", (event) => {
      const text = event.target.value.trim().toLocaleLowerCase();
      const found = text ? graph.nodes(":visible").filter((node) => node.data("names").some((name) => name.toLocaleLowerCase().includes(text))) : graph.collection();
      if (found.length) choose(found[0]);
    });
    const kinds = [...new Set(data.entities.map((each) => each.kind))].sort();
    document.querySelector("[data-graph-legend]").replaceChildren(...kinds.map((kind) => {
      const item = element("span");
      const dot = element("i");
      dot.style.background = colourOf(kind);
      item.append(dot, kind);
      return item;
    }));
    canvas.dataset.ready = "true";
  }

  document.addEventListener("DOMContentLoaded", () => {
    const canvas = document.querySelector("[data-graph]");
    if (!canvas) return;
    const release = document.querySelector("[data-graph-release]");
    release?.addEventListener("input", () => { document.querySelector("[data-graph-number]").textContent = release.value; });
    release?.addEventListener("change", () => release.form.submit());
    document.querySelector("[data-graph-world]")?.addEventListener("change", (event) => location.assign(event.target.value));
    start(canvas);
  });
})();
