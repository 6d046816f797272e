// Where nobody can be reached, the annotator's page is shown as it was last, with the items that were at hand. Answers
// are in the outbox. Of one who is not known any more, nothing is left here.

const KEPT = /^\/(annotate|static\/.+|api\/items)$/;

async function fresh(request) {
  const { pathname, search } = new URL(request.url ?? request, location), cache = await caches.open("tercet");
  const key = pathname + (pathname === "/annotate" ? search : "");
  try {
    const reply = await fetch(request);
    if (reply.status > 501) throw new Error(reply.status); // a proxy says that nobody is there
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
  await Promise.all([...new Set(page.match(/\/static\/[\w.]+/g))].map(fresh));
  await skipWaiting();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === location.origin && KEPT.test(pathname)) event.respondWith(fresh(event.request));
});
