// What widgets have in common: each asks for a field of an item, or of one of its outputs. `value` is what the answer
// gets, null where nothing was said; `heard` is told when something is.

export class Widget extends HTMLElement {
  #value = null;
  get value() { return this.#value; }
  set value(value) { this.#value = value; if (this.isConnected) this.show(); }
  connectedCallback() { if (!this.children.length) this.build(); this.show(); }

  // The annotator has said something; what is typed is not worth a step of undo.
  say(value, typed = false) {
    this.#value = value;
    this.show();
    this.heard(this, typed);
  }

  text(name) { return this.texts[name] ?? name; }
  get label() {
    const label = this.text(this.field.name);
    return this.output === null || this.item.outputs.length < 2 ? label : `${label}: ${this.output + 1}`;
  }

  build() {}
  show() {}
  key() { return false; } // whether a key was meant for this widget
}

let n = 0;
export const id = () => `w${++n}`;
