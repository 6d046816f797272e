// The annotator's page: fetch items ahead, show one, ask what the protocol asks, put the answer into the outbox. Of the
// widgets, those of the protocol are loaded.

import { api, at, button, el, recall, remember, themed } from "./page.js";
import { Outbox } from "./outbox.js";

const AHEAD = 8; // items that are kept here for a bad line
const REST = 45; // minutes after which a pause is offered
const POLL = 20; // seconds between questions while there is nothing to do
const { texts, protocol, annotator, ...known } = JSON.parse(at("data").textContent);
const filled = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

let outbox, { progress } = known, item = null, queue = [], widgets = [], history = [], moment = 0, spent = 0;
let before = [], begun = performance.now(), resting = false, leaving = false, timer = 0, asked = 0, heard = 0;
const answered = new Set(JSON.parse(recall("answered") ?? "[]"));
const noted = () => remember("answered", JSON.stringify([...answered].slice(-99))); // for a page that is loaded again

// Time on the item: not while the page is hidden, nor in a pause.
function tick() {
  const now = performance.now();
  if (moment) spent += now - moment;
  moment = document.hidden || resting || !item ? 0 : now;
}
document.addEventListener("visibilitychange", tick);

function say(text, kind = "") { at("notice").textContent = text; at("notice").className = kind; }

function status() {
  const kept = outbox.waiting.length, refused = outbox.refused.length, line = at("kept");
  const text = kept ? filled(texts.kept, { n: kept }) : answered.size ? texts.stored : "";
  if (line.textContent !== text) line.textContent = text;
  line.className = kept ? "kept" : "stored";
  if (refused) say(`${filled(texts.refused, { n: refused })} ${outbox.refused.at(-1).refused}`, "bad");
  const done = progress.done + kept, of = Math.max(progress.of, done);
  Object.assign(at("bar"), { max: of, value: done });
  at("done").textContent = progress.tutorial ? texts.tutorial : filled(texts.done, { done, of });
  at("undo").disabled = !(history.length || progress.undo || kept);
  at("next").classList.toggle("ready", !missing()[0]);
}

async function fetchMore() {
  const n = Math.min(50, AHEAD + outbox.entries.length);
  const mine = ++asked, reply = await api(`/api/items?n=${n}`);
  if (mine > heard) { heard = mine; progress = reply.progress; } // a late reply knows less
  const here = new Set([...answered, ...[...queue, item ?? {}].map(({ key }) => key)]);
  queue.push(...reply.items.filter(({ key }) => !here.has(key)));
}

async function next() {
  clearTimeout(timer);
  item = queue.shift() ?? null;
  if (item) { show(item); if (queue.length < AHEAD / 2) fetchMore().then(status, () => {}); return; }
  let told = finish;
  try {
    await fetchMore();
    if (!queue.length) { await outbox.flush(); await fetchMore(); }
  } catch (error) {
    told = () => (error.status === 401 ? screen(texts.stranger, "") : screen(texts.waiting, texts.waiting_hint));
  }
  if (item) return; // while we waited, a receipt or an undo has shown one, which must stay
  if (queue.length) return void next();
  told();
  timer = setTimeout(() => !item && next(), 1000 * (outbox.waiting.length ? 2 : POLL));
}

function finish() {
  const { done } = progress, n = outbox.waiting.length, stop = ["excluded", "closed", "paused"].find((is) => progress[is]);
  if (stop) screen(texts[`all_${stop}`], texts[`all_${stop}_hint`]);
  else screen(texts.thanks, filled(n ? texts.thanks_kept : texts.thanks_stored, { done: done + n, n }));
}

function lay(content, asks) {
  history = [];
  at("item").replaceChildren(content);
  at("actions").hidden = !asks && !item && !progress.undo;
  at("next").hidden = !asks;
  status();
}

function screen(title, text, more = "", kind = "") {
  widgets = [];
  lay(el("div", { class: `screen ${kind}` }, el("h2", {}, title), el("p", {}, text), more), false);
}

// One item.

const part = (whole, output) => (output === null ? whole : whole.outputs[output]); // of an answer

function widgetFor(field, output) {
  const made = document.createElement(`tercet-${field.element}`), value = part(item.answer, output)[field.name] ?? null;
  widgets.push(Object.assign(made, { field, texts, item, output, value, heard: said }));
  return made;
}

const shownText = (text, side) =>
  el("p", { class: "text", dir: item.directions[side], lang: item.languages[side] }, text);
const block = (name, label, text, side) => el("section", { class: name }, el("h3", {}, label), shownText(text, side));

function context(where, rows) {
  if (!rows?.length) return null;
  const line = ({ source, outputs }) => el("div", { class: "row" },
    source === null ? null : shownText(source, "source"), outputs.map((text) => shownText(text, "target")));
  return el("details", { class: "context", open: innerWidth > 800 },
    el("summary", {}, filled(texts[`context_${where}`], { n: rows.length })), rows.map(line));
}

function shownMedia({ id, element, type }) {
  const linked = element === "a", controls = ["audio", "video"].includes(element);
  return el(element, { [linked ? "href" : "src"]: `/media/${id}`, controls, alt: texts.source }, linked ? type : "");
}

function show(shown) {
  item = shown;
  widgets = [];
  const several = item.outputs.length > 1, fields = protocol.fields.filter((f) => f.of === "output");
  const inside = (widget) => fields.some((f) => f.widget === widget);
  const marksSource = !several && fields.some((f) => f.widget === "spans" && f.sides.includes("source"));
  const given = [
    item.source === null || marksSource ? null : block("source", texts.source, item.source, "source"),
    item.reference === null ? null : block("reference", texts.reference, item.reference, "target"),
    ...item.media.map(shownMedia),
  ].filter(Boolean);
  const outputs = item.outputs.map((output, i) => {
    const name = several ? `${texts.output} ${i + 1}` : texts.output;
    return el("li", { class: "output", "aria-label": name },
      inside("spans") || inside("edit") ? null : block("candidate", name, output.text, "target"),
      fields.map((field) => widgetFor(field, i)));
  });
  const ofItem = protocol.fields.filter((f) => f.of === "item").map((field) => widgetFor(field, null));
  const list = several && fields.length && fields.every((f) => f.widget === "rank");
  lay(el("article", { class: `item ${list ? "list" : several ? "beside" : "single"}${given.length ? "" : " bare"}` },
  el("p", { class: "question" }, item.tutorial ? el("b", { class: "badge" }, texts.tutorial) : null, texts.question),
  context("before", item.context?.before),
  el("div", { class: "columns" },
    given.length ? el("div", { class: "given" }, given) : null,
    el("div", { class: "answer" }, el("ol", { class: "outputs" }, outputs), ofItem)),
  context("after", item.context?.after)), true);
  before = widgets.map((w) => w.value);
  spent = moment = 0;
  tick();
  say("");
  scrollTo(0, 0);
  at("item").focus({ preventScroll: true });
}

function answer() {
  const whole = structuredClone(item.answer);
  for (const { field, output, value } of widgets) part(whole, output)[field.name] = value;
  return whole;
}

// What is still missing, as a sentence; empty if nothing is.
function missing() {
  const open = widgets.find((w) => w.field.required && (w.value === null || (w.field.widget === "edit" && !w.value.trim())));
  if (open) return [filled(texts.incomplete, { what: open.label }), open];
  for (const w of widgets) {
    const same = (other) => other !== w && other.field === w.field && other.value === w.value;
    if (w.field.widget === "rank" && !w.field.ties && widgets.some(same)) return [texts.unequal, w];
    for (const rule of protocol.rules) {
      const needed = widgets.find((other) => other.output === w.output && other.field.name === rule.needs);
      if (w.field.name === rule.field && w.value < rule.below && !needed?.value?.length)
        return [texts[`rule_${rule.field}`] ?? filled(texts.incomplete, { what: needed.label }), needed];
    }
  }
  return ["", null];
}

function said(widget, typed) {
  if (!typed || history.at(-1)?.widget !== widget) history.push({ widget, before });
  before = widgets.map((w) => w.value);
  say("");
  status();
}

async function send() {
  if (!item || leaving) return;
  const [problem, widget] = missing();
  if (problem) { say(problem, "bad"); widget.focus(); return; }
  leaving = true;
  try {
    tick();
    const { key, tutorial } = item, keystrokes = widgets.reduce((sum, w) => (w.keystrokes ?? 0) + sum, 0);
    answered.add(key);
    await outbox.put({ key, answer: answer(), seconds: Math.round(spent) / 1000, keystrokes, time: Date.now() / 1000 }, item);
    noted();
    item = null;
    const sent = outbox.flush();
    if (tutorial) await sent;
    if (tutorial && feedbacks.has(key)) await tell(feedbacks.get(key));
    await next();
    const n = Math.round((performance.now() - begun) / 6e4);
    if (n >= REST) { say(filled(texts.rest, { n })); begun = performance.now(); }
  } finally { leaving = false; }
}

const feedbacks = new Map();

function tell({ passed, text }) {
  return new Promise((done) => {
    const onward = button(texts.go_on, () => done(), { class: "main" });
    screen(passed ? texts.right : texts.wrong, text, onward, passed ? "good" : "bad");
    onward.focus();
  });
}

// Undo: first what was said of this item, then the last answer.
async function undo() {
  const last = history.pop();
  if (last) {
    ({ before } = last);
    widgets.forEach((w, i) => (w.value = before[i]));
    return status();
  }
  if (leaving) return;
  leaving = true;
  try {
    let back = await outbox.take();
    if (back) back = { ...back.item, answer: back.sent.answer };
    else {
      await outbox.flush();
      if (outbox.waiting.length) return say(texts.no_undo, "bad");
      ({ item: back, progress } = await api("/api/undo", { key: progress.undo ?? "" }));
      heard = ++asked;
    }
    answered.delete(back.key);
    noted();
    queue = queue.filter((other) => other.id !== back.id);
    if (item) queue.unshift(item);
    show(back);
    say(texts.taken_back);
  } catch (error) {
    say(error.status === 409 ? texts.nothing : error.status ? error.message : texts.no_undo, "bad");
  } finally { leaving = false; }
}

function pause() {
  if (resting || !item) return;
  resting = true;
  tick();
  at("pause-screen").showModal();
}
at("pause-screen").addEventListener("close", () => { resting = false; begun = performance.now(); tick(); });

function onKey(event) {
  if (document.querySelector("dialog[open]") || event.isComposing) return;
  const { key, target } = event, typing = target.matches("textarea, input[type=number]");
  const act = (does) => { event.preventDefault(); does(); };
  if (event.ctrlKey || event.metaKey || event.altKey) return key === "Enter" ? act(send) : key === "z" && !typing && act(undo);
  if (typing || (target.matches("select") && key !== "Escape")) return target.matches("input") && key === "Enter" && act(send);
  const open = widgets.find((w) => w.contains(target)) ?? widgets.find((w) => w.value === null) ?? widgets[0];
  const meant = open?.key(event);
  if (meant === true) act(() => open.value !== null && open.field.widget !== "spans" && onward(open));
  if (meant || (target.matches("button, summary, a") && [" ", "Enter"].includes(key))) return;
  const does = { Enter: send, n: send, u: undo, p: pause, "?": help, h: help }[key];
  if (does) act(does);
}

// After a digit, go on to the next field that is open.
function onward(widget) {
  const ahead = [...widgets.slice(widgets.indexOf(widget)), ...widgets];
  (ahead.find((w) => w.value === null) ?? widget).focus();
}

function help() {
  at("help-screen").showModal();
  document.querySelector("#help-screen .main").focus(); // not the links before it
}

function received({ receipts, progress: now }) {
  progress = now;
  heard = ++asked;
  for (const { key, feedback } of receipts) {
    if (!feedback) continue;
    feedbacks.set(key, feedback);
    if (!feedback.passed && !progress.tutorial && !leaving) say(texts.missed, "bad");
  }
  status();
  if (!item && !queue.length && !leaving) next();
}

const stranger = ({ message, hint }) => say(`${message} ${hint}`, "bad");

async function start() {
  themed(at("theme"));
  outbox = await Outbox.open(annotator, { changed: status, stored: received, stranger });
  for (const { key } of outbox.entries) answered.add(key);
  document.addEventListener("keydown", onKey);
  for (const [name, act] of Object.entries({ next: send, undo, help, pause })) at(name).addEventListener("click", act);
  addEventListener("beforeunload", (event) => { if (!outbox.lasting && outbox.waiting.length) event.preventDefault(); });
  outbox.flush();
  if (!recall(`read.${protocol.name}`)) { help(); remember(`read.${protocol.name}`, "yes"); }
  await next();
  if (!outbox.lasting) say(texts.volatile, "bad");
  const worker = navigator.serviceWorker;
  worker?.addEventListener("controllerchange", () => fetchMore().then(status, () => {}));
  worker?.register("/static/worker.js", { scope: "/annotate" }).catch(() => {});
}

start();
