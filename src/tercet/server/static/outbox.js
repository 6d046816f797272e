// Answers that are not stored yet. Each is on this machine's disk before the next item is shown, and is sent with the
// same key until the server has acknowledged it. Where the browser keeps nothing, memory must do.

import { api } from "./page.js";

const STORE = "answers", AT_ONCE = 20, LONGEST_WAIT = 30;

const settled = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.oncomplete = () => done();
  request.onerror = request.onabort = () => failed(request.error);
});

export class Outbox {
  #disk = null;
  #busy = null;
  #wait = 1;
  #timer = 0;
  entries = [];

  // Whose answers these are, and what is called when they change, are stored, or come from someone who is not known.
  static async open(who, on) {
    const box = Object.assign(new Outbox(), { who, on });
    try {
      const request = indexedDB.open("tercet", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
      box.#disk = await settled(request);
      const kept = await settled(box.#disk.transaction(STORE).objectStore(STORE).getAll());
      box.entries = kept.filter((entry) => entry.who === who).sort((a, b) => a.sent.time - b.sent.time);
      for (const entry of box.entries) entry.tried = true; // nobody knows what happened to it
    } catch { /* in memory, then */ }
    addEventListener("online", () => box.flush());
    return box;
  }

  get lasting() { return this.#disk !== null; }
  get waiting() { return this.entries.filter((entry) => !entry.refused); }
  get refused() { return this.entries.filter((entry) => entry.refused); }

  async #write(change) {
    if (!this.#disk) return;
    const work = this.#disk.transaction(STORE, "readwrite");
    change(work.objectStore(STORE));
    await settled(work);
  }

  // What is to be sent, and the item that it is of.
  async put(sent, item) {
    const entry = { key: sent.key, sent, item, who: this.who, tried: false };
    await this.#write((store) => store.put(entry));
    this.entries.push(entry); // not before it is on disk
    this.on.changed();
  }

  // Take the last one back, if it was never sent.
  async take() {
    const last = this.waiting.at(-1);
    if (!last || last.tried) return null;
    await this.#drop([last]);
    return last;
  }

  async #drop(gone) {
    this.entries = this.entries.filter((entry) => !gone.includes(entry));
    await this.#write((store) => gone.forEach((entry) => store.delete(entry.key)));
    this.on.changed();
  }

  flush() {
    this.#busy ??= this.#send().finally(() => (this.#busy = null));
    return this.#busy;
  }

  async #send() {
    clearTimeout(this.#timer);
    while (this.waiting.length && navigator.onLine) {
      const some = this.waiting.slice(0, AT_ONCE);
      for (const entry of some) entry.tried = true;
      try {
        const reply = await api("/api/answers", { answers: some.map((entry) => entry.sent) });
        this.#wait = 1;
        const errors = new Map(reply.receipts.filter((r) => r.error).map((r) => [r.key, r.error]));
        for (const entry of some) entry.refused = errors.get(entry.key);
        await this.#drop(some.filter((entry) => !entry.refused));
        this.on.stored(reply);
      } catch (error) {
        if ([401, 403].includes(error.status)) this.on.stranger(error);
        this.#timer = setTimeout(() => this.flush(), 1000 * this.#wait);
        this.#wait = Math.min(LONGEST_WAIT, 2 * this.#wait);
        this.on.changed();
        return;
      }
    }
    if (this.waiting.length) this.#timer = setTimeout(() => this.flush(), 1000 * LONGEST_WAIT);
  }
}
