// Errors in a text: choose words or characters by mouse, finger or keys, then a category and a severity.
// A first touch chooses one unit, a second one extends to it; dragging does both. Places are counted in code points.

import { button, el } from "./page.js";
import { Widget, id } from "./widget.js";

// The units of a text that can be chosen, with their places.
export function units(text, select, language) {
  const known = Intl.getCanonicalLocales(/^[a-z]{2,3}\b/i.exec(language ?? "") ?? []);
  const segmenter = new Intl.Segmenter(known, { granularity: select === "word" ? "word" : "grapheme" });
  let end = 0;
  return Array.from(segmenter.segment(text), ({ segment }) => {
    const start = end;
    end += Array.from(segment).length;
    return { segment, start, end };
  });
}

class Spans extends Widget {
  #chosen = null; // {side, from, to (units), anchor} or {side, missing}
  #edited = null; // the span that is being changed
  #cursor = {};
  #dragging = false;

  build() {
    this.hint = id();
    this.sides = {};
    for (const side of ["source", "target"]) {
      if (!this.field.sides.includes(side)) continue;
      const text = side === "source" ? this.item.source : this.item.outputs[this.output].text;
      if (text !== null) this.#side(side, text);
    }
    this.panel = el("div", { class: "panel", role: "group", "aria-label": this.label, hidden: true });
    this.told = el("p", { class: "unseen", role: "status" });
    this.list = el("ul", { class: "errors", "aria-label": this.text("spans_marked") });
    this.append(el("p", { class: "unseen", id: this.hint }, this.text("spans_hint")), this.panel, this.told, this.list);
  }

  #side(side, text) {
    const { languages, directions, outputs } = this.item, name = this.text(side === "source" ? "source" : "output");
    const parts = units(text, this.field.select, languages[side]);
    const box = el("div", {
      class: "marking text", tabindex: 0, role: "group", "aria-describedby": this.hint, dir: directions[side],
      lang: languages[side], "aria-label": name, "data-side": side,
      onpointerdown: (e) => this.#down(e, side), onpointermove: (e) => this.#move(e, side),
      onpointerup: () => (this.#dragging = false), onpointercancel: () => (this.#dragging = false),
      onkeydown: (e) => this.#keys(e, side), onfocus: () => this.#paint(), onblur: () => this.#paint(),
    });
    box.append(...parts.map((part, i) => el("span", { "data-i": i }, part.segment)));
    const missing = this.field.missing && side === "target"
      ? button(this.text("missing"), () => this.#choose({ side, missing: true }), { class: "missing" }) : null;
    this.sides[side] = { parts, box, missing, rtl: () => getComputedStyle(box).direction === "rtl" };
    this.#cursor[side] = -1;
    const several = outputs.length > 1, folded = side === "source" && several;
    const heading = folded ? null : el("h3", {}, name, several ? ` ${this.output + 1}` : "");
    const whole = el("div", { class: `side ${side}` }, heading, box, missing);
    this.append(folded ? el("details", {}, el("summary", {}, this.text("in_source")), whole) : whole);
  }

  get spans() { return this.value ?? []; }
  #blank(side, i) { return !this.sides[side].parts[i]?.segment.trim(); }

  #unit(event, side) {
    const at = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-i]");
    return at && this.sides[side].box.contains(at) ? Number(at.dataset.i) : null;
  }

  #down(event, side) {
    if (event.button) return;
    const i = this.#unit(event, side);
    if (i === null || this.#blank(side, i)) return;
    const span = this.#over(side, i);
    this.#dragging = true;
    this.#cursor[side] = i;
    const pending = this.#chosen?.side === side && !this.#chosen.missing && !this.#edited;
    if (pending && this.#chosen.from === i && this.#chosen.to === i) this.#choose(null);
    else if (pending) this.#choose(this.#reach(side, this.#chosen.anchor, i));
    else if (span) this.edit(span);
    else this.#choose(this.#reach(side, i, i));
  }

  #move(event, side) {
    if (!this.#dragging || this.#chosen?.side !== side || this.#edited) return;
    const i = this.#unit(event, side);
    if (i === null || i === this.#cursor[side]) return;
    this.#cursor[side] = i;
    this.#choose(this.#reach(side, this.#chosen.anchor, i));
  }

  #reach(side, anchor, i) { return { side, anchor, from: Math.min(anchor, i), to: Math.max(anchor, i) }; }

  #keys(event, side) {
    const { parts, rtl } = this.sides[side];
    const right = rtl() ? -1 : 1;
    const by = { ArrowRight: right, ArrowLeft: -right, ArrowDown: 1, ArrowUp: -1 }[event.key];
    let i = this.#cursor[side];
    if (by) do i += by; while (i > 0 && i < parts.length - 1 && this.#blank(side, i));
    else if (event.key === "Home") i = 0;
    else if (event.key === "End") i = parts.length - 1;
    else if (event.key === " ") i = Math.max(0, i);
    else return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    i = Math.min(parts.length - 1, Math.max(0, i));
    const anchor = this.#chosen?.side === side && !this.#chosen.missing ? this.#chosen.anchor : this.#cursor[side];
    this.#cursor[side] = i;
    const begins = event.key === " " || event.shiftKey;
    this.#choose(begins ? this.#reach(side, event.shiftKey && anchor >= 0 ? anchor : i, i) : null);
  }

  // Keys that say something of what is chosen: a digit its severity, Enter goes to the panel, Delete removes.
  key(event) {
    const at = this.contains(document.activeElement);
    if (event.key === "m" && this.field.missing && at) { this.#choose({ side: "target", missing: true }); return true; }
    const side = document.activeElement.dataset.side;
    const gone = ["Delete", "Backspace"].includes(event.key) && (this.#edited ?? this.#over(side, this.#cursor[side]));
    if (gone) { this.#remove(gone); return true; }
    if (!this.#chosen) return false;
    if (event.key === "Escape") { this.#choose(null); return true; }
    if (event.key === "Enter" && !this.panel.contains(document.activeElement)) { this.#first().focus(); return true; }
    const severity = this.field.severities[Number(event.key) - 1];
    if (!/^[1-9]$/.test(event.key) || !severity) return false;
    if (this.#category?.value === "") this.#category.focus();
    else this.#mark(severity);
    return true;
  }

  get #category() { return this.panel.querySelector("select"); }
  #first() { return this.#category ?? this.panel.querySelector("button"); }

  // The error at a unit, the last one if there are several.
  #over(side, i) {
    const start = this.sides[side]?.parts[i]?.start;
    return this.spans.findLast((s) => s.side === side && s.start !== null && s.start <= start && start < s.end);
  }

  edit(span) {
    this.#edited = span;
    const parts = this.sides[span.side].parts;
    const from = parts.findIndex((p) => p.end > span.start), to = parts.findLastIndex((p) => p.start < span.end);
    this.#chosen = span.start === null ? { side: span.side, missing: true }
      : { side: span.side, anchor: from, from, to, start: span.start, end: span.end };
    this.#ask();
  }

  #choose(chosen) {
    this.#edited = null;
    this.#chosen = chosen;
    this.#ask();
  }

  #quoted({ side, start, end }) {
    return start === null ? this.text("missing")
      : Array.from(this.sides[side].parts.map((p) => p.segment).join("")).slice(start, end).join("");
  }

  // Where the choice lies, without blanks at its ends.
  #place() {
    const { side, from, to, missing, start, end } = this.#chosen;
    if (missing) return { side, start: null, end: null };
    if (start !== undefined) return { side, start, end };
    let [a, b] = [from, to];
    while (a < b && this.#blank(side, a)) a++;
    while (b > a && this.#blank(side, b)) b--;
    const parts = this.sides[side].parts;
    return { side, start: parts[a].start, end: parts[b].end };
  }

  #ask() {
    const chosen = this.#chosen;
    this.panel.hidden = !chosen;
    this.panel.replaceChildren();
    if (chosen) {
      const place = this.#place(), quoted = this.#quoted(place), { dir, lang } = this.sides[place.side].box;
      const names = Object.entries(this.field.categories);
      const option = (value, text) => el("option", { value, selected: this.#edited?.category === value }, text);
      this.panel.append(el("q", { dir, lang, class: "text" }, quoted));
      const edges = { start_back: [-1, 0], start_on: [1, 0], end_back: [0, -1], end_on: [0, 1] };
      if (!chosen.missing && !this.#edited) this.panel.append(el("span", { class: "edges" },
        Object.entries(edges).map(([name, by]) => button(name.endsWith("back") ? "◂" : "▸", () => this.#shift(...by), {
          "aria-label": this.text(name),
        }))));
      if (names.length) this.panel.append(el("select", { "aria-label": this.text("category") },
        el("option", { value: "" }, this.text("category")),
        names.map(([name, subs]) => subs.length
          ? el("optgroup", { label: this.text(name) }, subs.map((sub) => option(`${name}/${sub}`, this.text(sub))))
          : option(name, this.text(name)))));
      this.panel.append(el("span", { class: "severities" }, this.field.severities.map((severity, i) =>
        button([el("kbd", {}, String(i + 1)), ` ${this.text(severity)}`], () => this.#mark(severity), {
          class: "severity", "data-severity": severity,
        }))));
      if (this.#edited) this.panel.append(button(this.text("remove"), () => this.#remove(this.#edited)));
      this.panel.append(button(this.text("cancel"), () => { this.#choose(null); this.#back(place.side); }, { class: "quiet" }));
      this.told.textContent = `${this.text("chosen")}: ${quoted}`;
    } else this.told.textContent = "";
    this.show();
  }

  #shift(start, end) {
    const { side, from, to } = this.#chosen, a = from + start, b = to + end;
    if (a < 0 || a > b || b >= this.sides[side].parts.length) return;
    const focused = [...this.panel.querySelectorAll("button")].indexOf(document.activeElement);
    this.#choose({ side, anchor: a, from: a, to: b });
    this.panel.querySelectorAll("button")[focused]?.focus();
  }

  #back(side) { this.sides[side].box.focus({ preventScroll: true }); }

  #mark(severity) {
    const category = this.#category ? this.#category.value : null;
    if (category === "") { this.#category.focus(); this.#category.classList.add("wanted"); return; }
    const span = { ...this.#place(), severity, category };
    const others = this.spans.filter((s) => s !== this.#edited);
    this.#finish([...others, span], span.side);
  }

  #remove(span) { this.#finish(this.spans.filter((s) => s !== span), span.side); }

  #finish(spans, side) {
    this.#chosen = this.#edited = null;
    this.#ask();
    this.say(spans);
    this.#back(side);
  }

  #paint() {
    const rank = (s) => this.field.severities.indexOf(s.severity);
    for (const [side, { parts, box, missing }] of Object.entries(this.sides)) {
      const here = this.spans.filter((s) => s.side === side);
      const { from, to } = this.#chosen?.side === side ? this.#chosen : {};
      parts.forEach((part, i) => {
        const unit = box.children[i];
        const over = here.filter((s) => s.start !== null && s.start < part.end && part.start < s.end);
        if (over.length) unit.dataset.severity = over.sort((a, b) => rank(b) - rank(a))[0].severity;
        else delete unit.dataset.severity;
        unit.classList.toggle("chosen", from <= i && i <= to);
        unit.classList.toggle("cursor", i === this.#cursor[side] && document.activeElement === box);
      });
      missing?.classList.toggle("chosen", this.#chosen?.missing === true);
      missing?.toggleAttribute("data-marked", here.some((s) => s.start === null));
    }
  }

  show() {
    this.#paint();
    this.list.replaceChildren(...this.spans.map((span) => el("li", { "data-severity": span.severity },
      button([el("q", { dir: "auto", class: "text" }, this.#quoted(span)),
        el("small", {}, [span.severity, ...(span.category?.split("/") ?? [])].map((name) => this.text(name)).join(" · "))],
      () => this.edit(span), { class: "error" }),
      button("×", () => this.#remove(span), {
        class: "drop", "aria-label": `${this.text("remove")}: ${this.#quoted(span)}`,
      }))));
    this.list.hidden = !this.spans.length;
  }

  focus() { Object.values(this.sides).at(-1).box.focus({ focusVisible: true }); }
}

customElements.define("tercet-spans", Spans);
