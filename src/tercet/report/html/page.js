"use strict";
// What a reader can do beyond reading: sort tables, choose metrics, ask plots for values, follow a system, change the
// theme. All text goes in as textContent, so that names stay names. No part of the page depends on this script.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const set = (node, attributes) => {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  };
  const make = (tag, attributes, text = "") => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    set(node, attributes);
    node.textContent = text;
    return node;
  };
  const isolated = (name) => `\u2068${name}\u2069`; // what <bdi> does, inside a sentence
  const tenth = (value) => Math.round(value * 10) / 10;

  // --- The tip: one for the whole page, also read aloud (role="status") when it changes by keyboard. ---
  const tip = document.getElementById("tip");
  let tipOf = null;

  function hideTip() {
    tipOf = null;
    tip.classList.remove("on");
    tip.replaceChildren();
  }

  /** Above the element it belongs to, or below where there is no room, and inside the window. */
  function placeTip() {
    if (!tipOf) return;
    const { left, right, top, bottom } = tipOf.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const x = Math.max(8, Math.min((left + right - width) / 2, room - width - 8));
    const y = top - height - 10 >= 0 ? top - height - 10 : bottom + 10;
    tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  function showTip(lines, element) {
    tipOf = element;
    tip.replaceChildren(...lines.map((line, i) => {
      const node = document.createElement(i ? "span" : "strong");
      node.dir = "auto";
      node.textContent = line;
      return node;
    }));
    tip.classList.add("on");
    placeTip();
  }

  // Also when the page moves under it, as it does when the keyboard leads to a cell out of sight.
  addEventListener("scroll", placeTip, { passive: true, capture: true });

  // --- Theme: the first press turns around what the system says. ---
  function setUpTheme() {
    const root = document.documentElement;
    const button = document.getElementById("theme");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
    const name = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      name();
    });
    dark.addEventListener("change", name);
    name();
    button.hidden = false;
  }

  // --- Tables: a heading sorts best first, then the other way, then back to the order given. ---
  const collator = new Intl.Collator(undefined, { numeric: true });

  function setUpTable(table) {
    const body = table.tBodies[0];
    const given = [...body.rows];
    const headings = [...table.tHead.rows[0].cells];
    const start = headings.map((heading) => heading.getAttribute("aria-sort"));

    const keyOf = (row, column, numeric) => {
      const cell = row.cells[column];
      if (numeric) return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
      return cell.dataset.v ?? (cell.textContent.trim() || null);
    };

    /** Rows by one column; those without a value come last both ways, and equals keep the order given. */
    function sorted(column, numeric, order) {
      const sign = order === "descending" ? -1 : 1;
      const compare = numeric ? (a, b) => a - b : collator.compare;
      const keyed = given.map((row) => ({ row, key: keyOf(row, column, numeric) }));
      keyed.sort((a, b) => (a.key === null) - (b.key === null) || (a.key === null ? 0 : sign * compare(a.key, b.key)));
      return keyed.map(({ row }) => row);
    }

    function press(column) {
      const numeric = headings[column].classList.contains("n");
      const orders = numeric ? ["descending", "ascending"] : ["ascending", "descending"];
      const now = table.classList.contains("sorted") ? headings[column].getAttribute("aria-sort") : null;
      const next = orders[orders.indexOf(now) + 1]; // undefined after the second: back to the order given
      headings.forEach((heading, c) => {
        const order = next ? (c === column ? next : null) : start[c];
        if (order) heading.setAttribute("aria-sort", order);
        else heading.removeAttribute("aria-sort");
      });
      table.classList.toggle("sorted", Boolean(next));
      body.append(...(next ? sorted(column, numeric, next) : given));
    }

    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => press(column));
      heading.append(button);
    });
  }

  // --- The matrix: one stop for the tabulator, arrows go from cell to cell. ---
  function setUpMatrix(table) {
    const rows = [...table.tBodies[0].rows];
    const metrics = rows.map((row) => row.cells[0].textContent);
    const cellAt = (r, c) => rows[r]?.cells[c + 1];
    const told = (p) => (p === "n/a" ? "p is not defined" : p.startsWith("<") ? `p ${p}` : `p = ${p}`);
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    let home = null;

    function show(cell) {
      const [row, column] = [metrics[cell.parentNode.rowIndex - 1], metrics[cell.cellIndex - 1]];
      const p = cell.dataset.p;
      if (p === undefined) hideTip();
      else showTip([`${isolated(row)} better than ${isolated(column)}`, told(p)], cell);
    }

    table.closest(".scroll").removeAttribute("tabindex"); // the cells can be reached, and scroll it
    for (const cell of all("tbody td", table)) {
      cell.removeAttribute("title");
      cell.tabIndex = -1;
      cell.addEventListener("focus", () => {
        home.tabIndex = -1;
        home = cell;
        home.tabIndex = 0;
        show(cell);
      });
      cell.addEventListener("blur", hideTip);
      cell.addEventListener("pointerenter", () => show(cell));
      cell.addEventListener("pointerleave", hideTip);
    }
    home = cellAt(0, Math.min(1, metrics.length - 1));
    home.tabIndex = 0;
    table.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hideTip();
      const move = moves[event.key];
      const cell = event.target.closest("td");
      if (!move || !cell) return;
      event.preventDefault();
      cellAt(cell.parentNode.rowIndex - 1 + move[0], Math.max(0, cell.cellIndex - 1 + move[1]))?.focus();
    });
  }

  // --- Plots. An item is a thing one can point at: its place in the plot, what is told of it, and its row. ---
  const interval = (low, high) => (low === null || high === null ? "" : ` [${low}, ${high}]`);

  function scales(chart, x) {
    const [left, top, width, height] = chart.box;
    return {
      x: (v) => left + (v - x[0]) / (x[1] - x[0]) * width,
      y: (v) => top + height - (v - chart.y[0]) / (chart.y[1] - chart.y[0]) * height,
    };
  }

  function drawAxis(svg, chart, view, at) {
    const [, top, , height] = chart.box;
    svg.querySelector(".xs").replaceChildren(...view.ticks.flatMap(([value, label]) => [
      make("path", { d: `M${tenth(at.x(value))} ${top}v${height}` }),
      make("text", { x: tenth(at.x(value)), y: top + height + 16 }, label),
    ]));
    if (view.name !== undefined) svg.querySelector(".xname").textContent = view.name;
  }

  const isFar = (dx, dy) => Math.abs(dx) > 12 || Math.abs(dy - 4) > 16; // as in scatter.py

  function movePoint(group, oval, point, at) {
    const [lead, , label] = group.children;
    group.classList.toggle("none", !point);
    oval.classList.toggle("none", !point);
    if (!point) return;
    const [score, gold, low, high, goldLow, goldHigh, dx, dy, anchor, outlier] = point;
    const [x, y] = [at.x(score), at.y(gold)];
    const [left, right] = [at.x(low ?? score), at.x(high ?? score)];
    const [bottom, top] = [at.y(goldLow ?? gold), at.y(goldHigh ?? gold)];
    group.style.transform = `translate(${tenth(x)}px, ${tenth(y)}px)`;
    group.classList.toggle("out", Boolean(outlier));
    set(oval, {
      cx: tenth((left + right) / 2), rx: tenth(Math.abs(right - left) / 2),
      cy: tenth((top + bottom) / 2), ry: tenth(Math.abs(bottom - top) / 2),
    });
    label.classList.toggle("none", dx === null);
    lead.setAttribute("d", dx !== null && isFar(dx, dy) ? `M0 0L${dx} ${dy - 4}` : "");
    if (dx !== null) set(label, { x: dx, y: dy, "text-anchor": ["end", "middle", "start"][anchor + 1] });
  }

  const kinds = {
    scatter(svg, chart, index) {
      const view = chart.views[index];
      svg.style.setProperty("--c", `var(--c${view.c})`);
      const at = scales(chart, view.x);
      const [groups, ovals] = [all(".pt", svg), all(".oval", svg)];
      drawAxis(svg, chart, view, at);
      view.points.forEach((point, i) => movePoint(groups[i], ovals[i], point, at));
      return view.points.flatMap((point, i) => point ? [{
        x: at.x(point[0]), y: at.y(point[1]), row: 0, system: chart.systems[i],
        lines: [
          data.names[chart.systems[i]],
          `metric ${point[0]}${interval(point[2], point[3])}`,
          `people ${point[1]}${interval(point[4], point[5])}`,
          ...(point[9] ? ["outlier"] : []),
        ],
      }] : []).sort((a, b) => a.x - b.x);
    },
    calibration(svg, chart, index) {
      const view = chart.views[index];
      svg.style.setProperty("--c", `var(--c${view.c})`);
      const at = scales(chart, view.x);
      drawAxis(svg, chart, view, at);
      const places = view.e.map((e, i) => [tenth(at.x(e)), tenth(at.y(view.a[i]))]);
      svg.querySelector(".stroke").setAttribute("d", places.map(([x, y], i) => i ? `H${x}V${y}` : `M${x} ${y}`).join(""));
      const best = svg.querySelector(".best");
      best.classList.toggle("none", view.best < 0);
      const [bestX, bestY] = places[view.best] ?? [0, 0];
      best.setAttribute("transform", `translate(${bestX} ${bestY})`);
      best.querySelector(".down").setAttribute("d", `M0 0V${tenth(chart.box[1] + chart.box[3] - bestY)}`);
      return places.map(([x, y], i) => ({
        x, y, row: 0,
        lines: [`accuracy ${view.a[i]}`, `ties up to ε = ${view.e[i]}${i === view.best ? ", the best" : ""}`],
      }));
    },
    dots(svg, chart) {
      return chart.points.map(([x, y, lines]) => ({ x, y, row: 0, lines }));
    },
    top(svg, chart) {
      const at = scales(chart, chart.x);
      return chart.lines.flatMap((line, row) => line.n.flatMap((n, i) => line.v[i] === null ? [] : [{
        x: at.x(n), y: at.y(line.v[i]), row,
        lines: [
          data.names[line.m],
          `${chart.labels?.[n] ?? `best ${n}`}: ${line.v[i]}${line.low ? interval(line.low[i], line.high[i]) : ""}`,
        ],
      }]));
    },
  };

  /** Light a system up wherever its section shows it, or nothing more if it was lit. */
  function follow(section, system) {
    const chosen = all(`[data-s="${system}"]`, section);
    const off = chosen.some((node) => node.classList.contains("on"));
    for (const node of all("[data-s].on", section)) node.classList.remove("on");
    if (!off) for (const node of chosen) node.classList.add("on");
    section.classList.toggle("following", !off);
  }

  /** The item that an arrow key leads to: along its row, or to the nearest of the next row. */
  function neighbour(items, current, key) {
    const here = items[current];
    const rows = items.some((item) => item.row !== here.row);
    const forward = key === "ArrowRight" || key === "ArrowDown";
    if (rows && (key === "ArrowUp" || key === "ArrowDown")) {
      const next = items.filter((item) => item.row === here.row + (forward ? 1 : -1));
      next.sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x));
      return next.length ? items.indexOf(next[0]) : current;
    }
    const to = current + (forward ? 1 : -1);
    return items[to]?.row === here.row ? to : current;
  }

  function setUpChart(figure) {
    const chart = data.charts[Number(figure.dataset.chart)];
    const svg = figure.querySelector("svg");
    const plot = figure.querySelector(".plot");
    const select = figure.querySelector("select");
    const ring = make("circle", { class: "cursor none", r: 7 });
    let items = [];
    let current = -1;

    function leave() {
      ring.classList.add("none");
      current = -1;
      hideTip();
    }

    function point(index) {
      current = index;
      const { x, y, lines } = items[index];
      set(ring, { cx: x, cy: y });
      ring.classList.remove("none");
      showTip(lines, ring);
    }

    /** The item nearest to the pointer, if it is near enough to be meant. */
    function nearest(event) {
      const frame = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / frame.width;
      const [x, y] = [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
      const distances = items.map((item) => Math.hypot(item.x - x, item.y - y));
      const best = distances.indexOf(Math.min(...distances));
      return distances[best] < 24 ? best : -1;
    }

    function press(index) {
      const system = items[index]?.system;
      if (system !== undefined) follow(figure.closest("section"), system);
    }

    function draw(index) {
      leave();
      items = kinds[chart.kind](svg, chart, index);
    }

    svg.append(ring);
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", `${svg.getAttribute("aria-label")}. Arrow keys go from point to point.`);
    plot.addEventListener("pointermove", (event) => {
      const index = nearest(event);
      if (index < 0) leave();
      else point(index);
    });
    plot.addEventListener("pointerleave", leave);
    plot.addEventListener("blur", leave);
    plot.addEventListener("click", (event) => press(nearest(event)));
    plot.addEventListener("keydown", (event) => {
      if (event.key === "Escape") leave();
      else if (event.key === "Enter" || event.key === " ") press(current);
      else if (event.key.startsWith("Arrow") && items.length) {
        point(current < 0 ? 0 : neighbour(items, current, event.key));
      } else return;
      event.preventDefault();
    });

    if (select) {
      select.addEventListener("change", () => {
        draw(select.selectedIndex);
        figure.querySelector(".told").textContent = chart.views[select.selectedIndex].told;
      });
      select.parentNode.hidden = false;
      select.selectedIndex = 0; // browsers remember another choice over a reload
    }
    const chips = figure.querySelector(".chips");
    if (chips) setUpChips(chips, svg);
    draw(0);
  }

  function setUpChips(chips, svg) {
    const boxes = all("input", chips);
    const lines = all(".line", svg);
    const update = () => {
      boxes.forEach((box, i) => lines[i].classList.toggle("on", box.checked));
      svg.classList.toggle("only", boxes.filter((box) => box.checked).length === 1);
    };
    chips.addEventListener("change", update);
    chips.hidden = false;
    update();
  }

  setUpTheme();
  all("table.sortable").forEach(setUpTable);
  all("table.matrix").forEach(setUpMatrix);
  all("figure.chart").forEach(setUpChart);
  for (const hint of all(".hint")) hint.hidden = false;
  // Paper cannot be unfolded; what would fill it with lists stays closed.
  let unfolded = new Map();
  addEventListener("beforeprint", () => {
    unfolded = new Map(all("details").map((fold) => [fold, fold.open]));
    for (const fold of unfolded.keys()) fold.open = !fold.matches(".grams-of");
  });
  addEventListener("afterprint", () => unfolded.forEach((open, fold) => { fold.open = open; }));
})();
