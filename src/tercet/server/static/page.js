// What all pages share: elements, requests, what this browser remembers, light and dark.

export const at = (id) => document.getElementById(id);

export function el(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const button = (text, onclick, given) => el("button", { type: "button", onclick, ...given }, text);

let token = document.querySelector("meta[name=csrf]")?.content ?? "";
export const setToken = (value) => (token = value);

// A reply, or an error with its status: 0 where nobody was reached.
export async function api(path, body) {
  const post = body !== undefined;
  const headers = post ? { "Content-Type": "application/json", "X-CSRF-Token": token } : {};
  let reply, told;
  try {
    reply = await fetch(path, {
      method: post ? "POST" : "GET", headers, body: post ? JSON.stringify(body) : null, signal: AbortSignal.timeout(20000),
    });
    told = await reply.json();
  } catch {
    throw Object.assign(new Error("Nobody was reached."), { status: reply?.ok === false ? reply.status : 0, hint: "" });
  }
  if (!reply.ok) throw Object.assign(new Error(told.error), { status: reply.status, hint: told.hint ?? "" });
  return told;
}

export function remember(name, value) {
  try { localStorage.setItem(`tercet.${name}`, value); } catch { /* a browser that remembers nothing */ }
}
export function recall(name) {
  try { return localStorage.getItem(`tercet.${name}`); } catch { return null; }
}

export function themed(button) {
  const root = document.documentElement;
  if (recall("theme")) root.dataset.theme = recall("theme");
  button?.addEventListener("click", () => {
    const now = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    remember("theme", (root.dataset.theme = now === "dark" ? "light" : "dark"));
  });
}
