/* Opens the pages while the ledger can't be reached. A page comes from the ledger where it answers, and as it was
   last seen where it does not; files with names of their own come from here at once. Nothing is kept of a page
   that shows a secret, and nothing of any once this device is let in or out somewhere. */
"use strict";

const FILES = {{ files | tojson }};
const OWN = "solo-ledger-files-{{ version }}";
const SEEN = "solo-ledger-pages";
const MOST_PAGES = 60;

const KEPT = /^\/(?:clubs\/\d+(?:\/(?:players|money|sessions\/\d+(?:\/(?:history|bank|count|table|hands\/new))?))?)?$/;
const DOORS = /^\/(?:v\/|enter$|start$|display$|clubs\/\d+\/(?:leave|own)$)/;

self.addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open(OWN)).addAll(FILES);
  await self.skipWaiting();
})()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("solo-ledger-files-") && name !== OWN);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return;
  if (DOORS.test(pathname)) event.respondWith(throughTheDoor(request));
  else if (request.method !== "GET") return;
  else if (FILES.includes(pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request, pathname));
});

async function throughTheDoor(request) {
  const answer = await fetch(request);
  await caches.delete(SEEN);
  return answer;
}

async function file(request) {
  const own = await caches.open(OWN);
  const kept = await own.match(request);
  return kept || fetch(request);
}

async function page(request, pathname) {
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    return (await asSeen(pathname)) || (await asSeen("/")) || Response.error();
  }
  // A proxy that stands in front says so while the ledger is gone.
  if (answer.status >= 502 && answer.status <= 504) return (await asSeen(pathname)) || answer;
  if (answer.status === 401 || answer.status === 403) await caches.delete(SEEN);
  if (answer.ok && !answer.redirected && KEPT.test(pathname)) await keep(pathname, answer.clone());
  return answer;
}

// The newest are the last.
async function keep(pathname, answer) {
  const seen = await caches.open(SEEN);
  await seen.delete(pathname);
  await seen.put(pathname, answer);
  const every = await seen.keys();
  await Promise.all(every.slice(0, Math.max(every.length - MOST_PAGES, 0)).map((each) => seen.delete(each)));
}

// A page as it was last seen says that it is: a form in it gets a key of its own.
async function asSeen(pathname) {
  const answer = await (await caches.open(SEEN)).match(pathname);
  if (!answer) return null;
  const text = (await answer.text()).replace("<html ", "<html data-as-seen ");
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(text, { status: 200, headers });
}
