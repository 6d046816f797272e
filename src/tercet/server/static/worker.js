// Where nobody can be reached, the annotator's page is shown as it was last: its own files, its texts, the items that
// were at hand. Answers are none of its business (outbox.js), and one who is not known any more leaves nothing here.

const KEPT = /^\/(annotate|static\/.+|api\/(protocol|items))$/, DOWN = [502, 503, 504]; // said by a proxy

async function fresh(request) {
  const { pathname, search } = new URL(request.url ?? request, location), cache = await caches.open("tercet");
  const key = pathname + (pathname === "/annotate" ? search : "");
  try {
    const reply = await fetch(request);
    if (DOWN.includes(reply.status)) throw new Error(reply.status);
    if (reply.ok) await cache.put(key, reply.clone());
    else if (reply.status === 401) await caches.delete("tercet");
    return reply;
  } catch (error) {
    const old = (await cache.match(key)) ?? (await cache.match(pathname, { ignoreSearch: true }));
    if (old) return old;
    throw error;
  }
}

async function install() {
  const page = await (await fresh("/annotate")).text();
  await Promise.all(["/api/protocol", ...new Set(page.match(/\/static\/[\w.]+/g))].map(fresh));
  await skipWaiting();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === location.origin && KEPT.test(pathname)) event.respondWith(fresh(event.request));
});
