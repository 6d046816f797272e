// A text to be corrected; keystrokes are counted.

import { button, el } from "./page.js";
import { Widget, id } from "./widget.js";

class Edit extends Widget {
  keystrokes = 0;

  build() {
    const name = id();
    this.box = el("textarea", {
      id: name, dir: this.item.directions.target, lang: this.item.languages.target, rows: 3, maxlength: 20000,
      spellcheck: "true",
      onkeydown: (event) => (this.keystrokes += !["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)),
      oninput: () => this.say(this.box.value, true),
    });
    this.append(el("label", { for: name, class: "asked" }, this.label), this.box,
      button(this.text("original"), () => this.say(this.item.outputs[this.output].text), { class: "quiet" }));
  }

  show() {
    if (this.box.value !== this.value) this.box.value = this.value ?? "";
    this.box.style.height = "auto";
    this.box.style.height = `${this.box.scrollHeight + 4}px`;
  }

  focus() { this.box.focus(); }
}

customElements.define("tercet-edit", Edit);
