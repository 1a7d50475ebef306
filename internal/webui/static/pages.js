// Pages with parts that follow the contest. The server renders each page whole;
// this asks for it again when something happened, and puts in the parts that are
// other than before. Forms and links do the same without leaving the page.

import { measure, onMeasured, paint, startClock } from "./clock.js";
import { connect } from "./stream.js";

const body = document.body.dataset;
const typing = (element) => element?.matches("input:not([type=range]):not([type=checkbox]), textarea, select");

const saidFor = 20_000; // ms for which a reply stays, whatever else happens
let told = -Infinity;

// swap puts in what is new. A part with a key is only replaced when the key is
// another one, so that what somebody fills in stays; so is a part in which
// somebody types, unless that is what they sent.
function swap({ text, status }, sent) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  if (![...document.querySelectorAll("[data-live]")].some((part) => fresh.getElementById(part.id))) {
    instead(fresh, status, sent);
    return;
  }
  if (sent) told = performance.now();
  const focus = document.activeElement, focused = focus?.id;
  let lost = false;
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (!other) continue;
    const key = other.dataset.live;
    if (part.id === "message" && !sent && performance.now() - told < saidFor) continue;
    if (key ? key === part.dataset.live : other.outerHTML === (part.plain ?? part.outerHTML)) continue;
    if (!sent && part.contains(focus) && typing(focus)) continue;
    const open = new Set([...part.querySelectorAll("details[open][id]")].map((d) => d.id));
    lost ||= part.contains(focus);
    const next = document.importNode(other, true);
    next.plain = other.outerHTML; // before clocks and focus change it
    for (const d of next.querySelectorAll("details[id]")) d.open = open.has(d.id);
    part.replaceWith(next);
  }
  if (lost) (document.getElementById(focused) ?? document.querySelector("#now button.strong, #chosen button.strong, main button.strong"))?.focus();
  document.title = fresh.title;
  paint();
}

// instead takes another page than the one that was asked for: one that says what
// went wrong, or one to sign in.
function instead(fresh, status, sent) {
  const said = fresh.querySelector("main [role=alert]")?.textContent;
  if (!said) location.reload(); // the visitor is signed out
  else if (sent || status < 500) say(said);
}

function say(what) {
  const message = document.getElementById("message");
  if (message) message.textContent = what;
}

async function ask(address, options) {
  const reply = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  return { text: await reply.text(), status: reply.status, url: reply.url, redirected: reply.redirected };
}

// --- what happened elsewhere ---

const gap = 400; // ms between two refreshes
let asked = -Infinity, timer = 0, busy = false;

function refresh() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (busy) return refresh();
    asked = performance.now();
    try {
      swap(await ask(location.href), false);
    } catch { /* the stream says that the server is gone */ }
  }, Math.max(0, asked + gap - performance.now()));
}

// --- what the visitor does ---

async function go(address, options, keep) {
  busy = true;
  try {
    const reply = await ask(address, options);
    swap(reply, true);
    if (new URL(reply.url).searchParams.has("why") && !keep) document.getElementById("why")?.scrollIntoView({ block: "nearest" });
    if (!options || reply.redirected) history[keep ? "replaceState" : "pushState"](null, "", reply.url);
  } catch (error) {
    say(`${body.saidOff} (${error.message})`);
  } finally {
    busy = false;
  }
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-swap]")) return;
  event.preventDefault();
  if (busy) return;
  const sent = new URLSearchParams(new FormData(form, event.submitter));
  go(form.getAttribute("action"), { method: "POST", body: sent }, true);
});

addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (link.closest("form[data-follow]")) link.closest("form").reset();
  go(link.href);
});

// A button held down, or pressed twice by habit, is pressed once: the second
// press would be for what the first one has made of the page.
addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("form[data-swap] button:not([data-again])")) event.preventDefault();
});
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest("form[data-swap]")) event.preventDefault();
});

addEventListener("popstate", () => go(location.href, undefined, true));

let following = 0;
function follow(form) {
  clearTimeout(following);
  following = setTimeout(() => {
    const address = new URL(form.action);
    address.search = new URLSearchParams(new FormData(form));
    go(address, undefined, true);
  }, 120);
}

addEventListener("input", (event) => {
  const form = event.target.closest("form[data-follow]");
  if (!form) return;
  const output = event.target.closest("label")?.querySelector("output");
  if (output) {
    output.textContent = event.target.value;
    output.classList.add("moved");
  }
  follow(form);
});
addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-follow]")) return;
  event.preventDefault();
  follow(event.target);
});

onMeasured((trip) => {
  const lag = document.getElementById("lag");
  if (lag) lag.textContent = trip === null ? "" : lag.dataset.said.replace("{0}", Math.max(1, Math.round(trip)));
});

startClock();
if (body.events) {
  // A stream also ends when the visitor is signed out elsewhere: then there is
  // another page.
  connect(body.events, body.events.includes("leaderboard") ? "board" : "change", null, () => { refresh(); measure(); }, refresh);
}
