// The server's clock, and everything on a page that counts down by it.
//
// The offset is measured as NTP does: the server's time is taken to be that of
// the middle of a request. Of the last measurements the one with the shortest
// request counts. Between them time goes on by the monotonic clock, so setting
// the wall clock does no harm; after a sleep, which the monotonic clock may not
// notice and the wall clock does, it is measured again at once.

let anchor = { server: Date.now(), mono: performance.now(), wall: Date.now(), trip: Infinity, at: -Infinity };
const watchers = new Set();
let asking = false;

const staleAfter = 60_000; // ms after which a better measurement is forgotten
const sleepNoticed = 700; // ms by which the two clocks differ

export function serverNow() {
  const mono = performance.now() - anchor.mono;
  const wall = Date.now() - anchor.wall;
  return anchor.server + (Math.abs(wall - mono) > sleepNoticed ? wall : mono);
}

// onMeasured calls back after each try: with the length of the request in ms,
// or with null if there was no answer.
export function onMeasured(callback) { watchers.add(callback); }

export async function measure() {
  if (asking) return;
  asking = true;
  let trip = null;
  try {
    const sent = performance.now();
    const reply = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    const got = performance.now();
    const { server_time } = await reply.json();
    trip = got - sent;
    const slept = Math.abs((Date.now() - anchor.wall) - (got - anchor.mono)) > sleepNoticed;
    if (slept || trip <= anchor.trip || got - anchor.at > staleAfter) {
      anchor = { server: Date.parse(server_time) + trip / 2, mono: got, wall: Date.now(), trip, at: got };
    }
  } catch {
    trip = null;
  } finally {
    asking = false;
  }
  for (const callback of watchers) callback(trip);
  paint();
}

function text(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const two = (n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

function set(element, value) {
  if (element && element.textContent !== value) element.textContent = value;
}

// paint shows the time wherever a page has one.
export function paint() {
  const now = serverNow();
  for (const clock of document.querySelectorAll("[data-clock]:not([data-stopped])")) {
    const { start, end, last, label } = clock.dataset;
    const phase = now < +end ? "running" : now < +last ? "buffer" : "over";
    set(clock, text((phase === "running" ? +end : +last) - now));
    clock.dataset.phase = phase;
    const words = label && document.getElementById(label);
    if (words) set(words, words.dataset[phase]);
    const bar = start && document.getElementById("bar");
    if (bar) bar.value = Math.min(1, Math.max(0, (now - start) / (end - start)));
  }
}

export function startClock() {
  measure().then(measure).then(measure);
  setInterval(measure, 20_000);
  setInterval(() => {
    if (Math.abs((Date.now() - anchor.wall) - (performance.now() - anchor.mono)) > sleepNoticed) measure();
    paint();
  }, 200);
  addEventListener("online", measure);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) measure(); });
  paint();
}
