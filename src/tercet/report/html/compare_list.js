// The list of segments: only the rows in sight, and a few around them, are in the page. One stop for the tabulator;
// arrows go from row to row.
const segmentList = (() => {
  "use strict";
  const { printed, signed, address, element } = comparison;
  const AROUND = 6; // rows above and below those in sight
  const SNIPPET = 300; // characters of a text; more does not fit on a line

  /** The part of a text around what was searched for, with that marked; its beginning where it is not in it. */
  function snippet(text, wanted) {
    const at = wanted ? text.toLowerCase().indexOf(wanted.toLowerCase()) : -1;
    if (at < 0) return [text.slice(0, SNIPPET)];
    const start = at > 60 ? at - 40 : 0;
    const end = at + wanted.length;
    return [
      `${start ? "…" : ""}${text.slice(start, at)}`,
      element("mark", {}, text.slice(at, end)),
      text.slice(end, start + SNIPPET),
    ];
  }

  const verdict = (gain) => (gain > 0 ? "up" : gain < 0 ? "down" : "same");

  class List {
    /** `box` scrolls and holds an <ol>. */
    constructor(box) {
      this.box = box;
      this.list = box.querySelector("ol");
      this.rows = [];
      this.current = 0; // the row that the tabulator leads to, by its place
      this.height = 100;
      box.addEventListener("scroll", () => this.render(), { passive: true });
      box.addEventListener("keydown", (event) => this.press(event));
      box.addEventListener("focusin", (event) => this.follow(event));
      new ResizeObserver(() => this.measure()).observe(box);
    }

    show(view, rows) {
      this.view = view;
      this.rows = rows;
      this.current = 0;
      this.box.scrollTop = 0;
      this.list.replaceChildren();
      this.measure();
    }

    /** The height of a row is the style's business; all rows have the same. */
    measure() {
      if (!this.view) return;
      if (!this.list.firstElementChild && this.rows.length) this.list.append(this.row(0));
      this.height = this.list.firstElementChild?.offsetHeight || this.height;
      this.list.style.height = `${this.rows.length * this.height}px`;
      this.list.replaceChildren();
      this.render();
    }

    render() {
      const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - AROUND);
      const end = Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / this.height) + 2 * AROUND);
      const wanted = new Set([this.current < this.rows.length ? this.current : -1]); // or the focus would be lost
      for (let place = first; place < end; place += 1) wanted.add(place);
      wanted.delete(-1);
      for (const node of [...this.list.children]) {
        if (!wanted.delete(Number(node.dataset.place))) node.remove();
      }
      for (const place of wanted) this.insert(this.row(place), place);
    }

    /** Rows stand in the page in the order in which they are seen, for those who hear them. */
    insert(node, place) {
      const next = [...this.list.children].find((other) => Number(other.dataset.place) > place);
      this.list.insertBefore(node, next ?? null);
    }

    row(place) {
      const { view } = this;
      const row = this.rows[place];
      const node = element(
        "li",
        { "data-place": place, "aria-posinset": place + 1, "aria-setsize": this.rows.length },
        this.head(row, place),
        ...this.lines(row),
      );
      node.style.transform = `translateY(${place * this.height}px)`;
      node.dataset.row = row;
      if (view.gain(row)) node.classList.add(verdict(view.gain(row)));
      return node;
    }

    head(row, place) {
      const { view } = this;
      const { data, metric } = view;
      const name = data.segments[row];
      const document = data.facets[0]?.values[data.facets[0].of[row]];
      const score = (system) => printed(view.score(system, row), metric.digits);
      return element(
        "a",
        { href: address({ ...view.state, seg: name }), tabindex: place === this.current ? 0 : -1 },
        element("strong", {}, element("bdi", {}, name.slice(0, 40))),
        document ? element("small", {}, element("bdi", {}, document.slice(0, 60))) : null,
        element("span", { class: "figures" },
          element("i", {}, "A "), score(view.a), element("i", {}, " B "), score(view.b), " ",
          element("b", { class: verdict(view.gain(row)) }, signed(view.difference(row), metric.digits))),
      );
    }

    lines(row) {
      const { view } = this;
      const { source, references, outputs } = view.texts(row);
      const q = view.state.q ?? "";
      const given = [...references, ...(source === null ? [] : [source])];
      const found = given.find((text) => q && text.toLowerCase().includes(q.toLowerCase())) ?? given[0];
      const line = (label, text) => element("p", {}, element("i", {}, label), element("span", { dir: "auto" },
        ...snippet(text, q)));
      return [
        found === undefined ? null : line(found === source ? "src" : "ref", found),
        line("A", outputs[view.a]),
        line("B", outputs[view.b]),
      ];
    }

    /** Bring a row into sight and lead the keyboard there. */
    go(place, focus = true) {
      this.current = Math.max(0, Math.min(place, this.rows.length - 1));
      const [top, bottom] = [this.current * this.height, (this.current + 1) * this.height];
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      else if (bottom > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight;
      this.render();
      for (const node of this.list.children) {
        const link = node.querySelector("a");
        link.tabIndex = Number(node.dataset.place) === this.current ? 0 : -1;
        if (focus && link.tabIndex === 0) link.focus({ preventScroll: true });
      }
    }

    press(event) {
      const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
      if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.go(this.current + steps[event.key]);
    }

    follow(event) {
      const node = event.target.closest("li");
      if (node && Number(node.dataset.place) !== this.current) this.go(Number(node.dataset.place), false);
    }
  }

  return { List };
})();
