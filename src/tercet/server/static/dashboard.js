// The organiser's page: what is live comes anew every few seconds; buttons decide.

import { api, at, el, themed, tried } from "./page.js";

const EVERY = 5; // seconds
let timer = 0;

async function refresh() {
  clearTimeout(timer);
  try {
    const reply = await fetch("/dashboard");
    if (reply.redirected) return location.assign("/login");
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const now = fresh.getElementById(part.id);
      if (!now || now.innerHTML === part.innerHTML || part.contains(document.activeElement)) continue;
      part.replaceChildren(...now.childNodes);
    }
  } catch { /* nobody was reached: later */ }
  timer = setTimeout(refresh, 1000 * EVERY);
}

function reasonFor(name) {
  at("ask-title").textContent = `Exclude ${name}`;
  at("reason").value = "";
  at("ask").showModal();
  return new Promise((done) => at("ask").addEventListener("close", () =>
    done(at("ask").returnValue === "sure" ? at("reason").value.trim() : null), { once: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button) tried(async () => {
    const { action, annotator, name } = button.dataset;
    const reason = action === "exclude" ? await reasonFor(name) : "";
    if (reason === null) return;
    await api("/api/decisions", { action, annotator, reason });
    document.activeElement.blur();
    await refresh();
  });
});

at("logout").addEventListener("click", () => tried(async () => {
  await api("/api/logout", {});
  location.assign("/login");
}));

at("people")?.addEventListener("submit", (event) => {
  event.preventDefault();
  tried(async () => {
    const names = at("names").value.split("\n").map((name) => name.trim()).filter(Boolean);
    const { secrets } = await api("/api/people", { names, role: at("role").value });
    at("links").append(...Object.entries(secrets).map(([name, secret]) =>
      el("li", {}, `${name} `, el("code", {}, secret.startsWith("/") ? location.origin + secret : secret))));
    at("names").value = "";
  });
});

themed(at("theme"));
timer = setTimeout(refresh, 1000 * EVERY);
