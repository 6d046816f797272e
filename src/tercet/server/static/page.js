// What all pages share: elements, requests, what this browser remembers, light and dark.

export const at = (id) => document.getElementById(id);

export function el(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if ((value ?? false) === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => (child ?? null) !== null));
  return made;
}

export const button = (text, onclick, given) => el("button", { type: "button", onclick, ...given }, text);

// A reply, or an error with its status: 0 where nobody was reached.
export async function api(path, body) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]")?.content ?? "" };
  const post = body ? { method: "POST", headers, body: JSON.stringify(body) } : {};
  let reply, told = { error: "Nobody was reached." };
  try {
    reply = await fetch(path, { ...post, signal: AbortSignal.timeout(20000) });
    told = await reply.json();
    if (reply.ok) return told;
  } catch { /* nobody, or nobody who speaks JSON */ }
  throw Object.assign(new Error(told.error), { status: reply?.ok ? 0 : reply?.status ?? 0, hint: told.hint ?? "" });
}

// Do something, and tell of what went wrong.
export async function tried(act) {
  at("told").textContent = "";
  try { await act(); } catch (error) { at("told").textContent = `${error.message} ${error.hint}`; }
}

export function remember(name, value) {
  try { localStorage[`tercet.${name}`] = value; } catch { /* a browser that remembers nothing */ }
}
export function recall(name) {
  try { return localStorage[`tercet.${name}`]; } catch { return null; }
}

export function themed(button) {
  const root = document.documentElement;
  if (recall("theme")) root.dataset.theme = recall("theme");
  button?.addEventListener("click", () => {
    const now = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    remember("theme", (root.dataset.theme = now === "dark" ? "light" : "dark"));
  });
}
