/* Opens the pages while the ledger can't be reached. A page comes from the ledger if it answers, else as it was last
   seen, else an offline page takes its place; files with names of their own come from here at once. The page that
   replays a hand is kept before it was seen, and so is the form of the next hand (see ahead.js). Nothing is kept of a
   page that shows a secret. Once this device is let in or out somewhere, only the start page is kept. */
"use strict";

const FILES = {{ files | tojson }};
const OWN = "solo-ledger-files-{{ version }}";
const SEEN = "solo-ledger-pages";
const MOST_PAGES = 60;
const LONGEST = 30_000;  // milliseconds for a file that is kept ahead
const START = "/";
const REPLAY = "/replay";
const OFFLINE = "/offline";
const OLDER = {{ older | e | tojson }};
const TAG = "{{ 'en-GB' if reader().tag == 'en' else reader().tag }}";
const SEEN_AT = {{ seen_at | e | tojson }};
const OFFLINE_PAGE = decodeURIComponent({{ offline | urlencode | tojson }});

const KEPT = /^\/(?:clubs\/\d+(?:\/(?:players|money|sessions\/\d+(?:\/(?:history|bank|count|table|hands\/new))?))?)?$/;
const DOORS = /^\/(?:v\/|enter$|start$|display$|clubs\/\d+\/(?:leave|own)$)/;

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const own = await caches.open(OWN);
  await own.addAll([...FILES, REPLAY]);
  const { headers } = await keepStart();
  await own.put(OFFLINE, new Response(OFFLINE_PAGE, { headers: plain(headers) }));
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
  if (DOORS.test(pathname)) event.respondWith(throughTheDoor(event));
  else if (request.method !== "GET") return;
  else if (FILES.includes(pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request, pathname));
});

// One after another, so that an older form never replaces a newer one.
let turn = Promise.resolve();
self.addEventListener("message", (event) => {
  turn = turn.then(() => keepForm(event.data)).catch(() => {});
  event.waitUntil(turn);
});

// Keeps the form of the next hand at this number, the payouts that it looks up, and the scoreboard.
async function keepForm({ form, number }) {
  const kept = await caches.match(form);
  if (kept && (await kept.text()).includes(`data-revision="${number}"`)) return;
  for (const pathname of [form.replace("/hands/new", ""), form]) {
    const answer = await fetch(pathname, { priority: "low", signal: AbortSignal.timeout(LONGEST) });
    if (!answer.ok || answer.redirected) return;
    await keep(pathname, answer);
  }
  const [, payouts] = (await (await caches.match(form)).text()).match(/data-payouts="([^"]+)"/) || [];
  if (payouts) await (await fetch(payouts, { priority: "low", signal: AbortSignal.timeout(LONGEST) })).blob();  // the browser stores it for good
}

async function throughTheDoor(event) {
  const { request } = event;
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    if (request.method === "GET" && request.mode === "navigate") return caches.match(OFFLINE);
    throw error;
  }
  await caches.delete(SEEN);
  event.waitUntil(turn.then(() => caches.delete(SEEN)).then(keepStart).catch(() => {}));
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
    return (await asSeen(pathname)) || caches.match(OFFLINE);
  }
  // A proxy that stands in front says so while the ledger is gone.
  if (answer.status >= 502 && answer.status <= 504) return (await asSeen(pathname)) || answer;
  if (answer.status === 401 || answer.status === 403) await caches.delete(SEEN);
  if (answer.ok && !answer.redirected && KEPT.test(pathname)) await keep(pathname, answer.clone());
  return answer;
}

async function keepStart() {
  const answer = await fetch(START);
  if (answer.ok && !answer.redirected) await keep(START, answer.clone());
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

// A page as it was last seen names its time. A form in it gets a key of its own, and a notice if it is outdated.
async function asSeen(pathname) {
  const answer = await caches.match(pathname);
  if (!answer) return null;
  const text = (await answer.text()).replace("<html ", `<html data-as-seen="${OLDER}" `)
    .replace(/<main [^>]*>/, (main) => main + seenAt(new Date(answer.headers.get("date"))));
  return new Response(text, { status: 200, headers: plain(answer.headers) });
}

// Returns the notice of a page's time, with the day unless it is today.
function seenAt(at) {
  const day = at.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "short" };
  const time = at.toLocaleString(TAG, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return `<p class="notice" id="seen-at">${SEEN_AT.replace("{time}", time)}</p>`;
}

// The headers of an answer for a body that is not compressed.
function plain(headers) {
  const own = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) own.delete(name);
  return own;
}
