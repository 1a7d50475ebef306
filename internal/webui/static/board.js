// The leaderboard: rows come as the server rendered them; this puts them where
// they belong, lets them glide there, and turns the pages.

import { startClock } from "./clock.js";
import { connect } from "./stream.js";

const body = document.body.dataset;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const projector = matchMedia("(min-width: 700px) and (min-height: 400px)");

document.documentElement.classList.add("scripted");

const $ = (id) => document.getElementById(id);

// --- pages of rows ---

const turnAfter = 10_000; // ms
let page = 0, held = false, turning = 0;

function paged() {
  const rows = [...$("rows").children];
  const status = $("paging");
  if (!projector.matches || rows.length === 0) {
    for (const row of rows) row.hidden = false;
    status.textContent = "";
    return rows;
  }
  const shown = rows.find((row) => !row.hidden) ?? rows[0];
  shown.hidden = false;
  const height = shown.getBoundingClientRect().height || 1;
  const room = document.querySelector(".foot").getBoundingClientRect().top - $("rows").getBoundingClientRect().top;
  const each = Math.max(3, Math.floor(room / height));
  const pages = Math.max(1, Math.ceil(rows.length / each));
  page = (page + pages) % pages;
  rows.forEach((row, i) => { row.hidden = Math.floor(i / each) !== page; });
  status.textContent = pages === 1 ? "" : body.saidPage.replace("{0}", page + 1).replace("{1}", pages) + (held ? ` · ${body.saidHeld}` : "");
  return rows;
}

function turn(by) {
  page += by;
  paged();
  clearInterval(turning);
  turning = setInterval(() => { if (!held) { page++; paged(); } }, turnAfter);
}

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || /^(A|BUTTON|INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === "ArrowRight" || event.key === "PageDown") turn(1);
  else if (event.key === "ArrowLeft" || event.key === "PageUp") turn(-1);
  else if (event.key === " ") { held = !held; paged(); } else return;
  event.preventDefault();
});
addEventListener("resize", paged);

// --- changes ---

const gap = 700; // ms between two movements: what happens meanwhile comes together
const moveShown = 8000; // ms
let pending = null, moving = false, movedAt = -Infinity, moveTimer = 0;

function take(frame) {
  if (frame.reload || String(frame.version) !== body.version) {
    pending = null;
    reload();
    return;
  }
  pending ??= { rows: {} };
  Object.assign(pending.rows, frame.rows);
  if (frame.order) [pending.order, pending.ranks] = [frame.order, frame.ranks];
  move();
}

function move() {
  clearTimeout(moveTimer);
  if (!pending || moving) return;
  const wait = movedAt + gap - performance.now();
  if (wait > 0 && !document.hidden) {
    moveTimer = setTimeout(move, wait);
    return;
  }
  const changes = pending;
  pending = null;
  movedAt = performance.now();
  if (!document.startViewTransition || calm.matches || document.hidden) {
    apply(changes);
    return;
  }
  moving = true;
  const named = name();
  const transition = document.startViewTransition(() => { apply(changes); named.push(...name()); });
  transition.finished.catch(() => {}).finally(() => {
    for (const row of named) row.style.viewTransitionName = "";
    moving = false;
    move();
  });
}

function name() {
  const rows = [...$("rows").children].filter((row) => !row.hidden);
  for (const row of rows) row.style.viewTransitionName = `row-${row.id}`;
  return rows;
}

const workshop = document.createElement("template");

function apply({ rows, order, ranks }) {
  const table = $("rows");
  for (const [id, html] of Object.entries(rows)) {
    workshop.innerHTML = html;
    const row = workshop.content.firstElementChild, old = $(id);
    if (old) {
      row.hidden = old.hidden;
      old.replaceWith(row);
      if (!order) rank(row, row.querySelector(".rank b").textContent, old.querySelector(".rank b").textContent);
      else row.querySelector(".rank b").textContent = old.querySelector(".rank b").textContent;
    } else table.append(row);
    row.classList.add("changed");
    setTimeout(() => row.classList.remove("changed"), moveShown);
  }
  if (order) {
    order.forEach((id, i) => {
      const row = $(id);
      if (!row) return;
      const shown = row.querySelector(".rank b");
      rank(row, ranks[i], shown.textContent);
      if (table.children[i] !== row) table.insertBefore(row, table.children[i] ?? null);
    });
  }
  paged();
  refreshAside();
}

// rank shows a rank, and for a while by how many places it is another one.
function rank(row, now, before) {
  row.querySelector(".rank b").textContent = now;
  const places = Number(before) - Number(now);
  if (!places) return;
  const moved = row.querySelector(".moved");
  moved.textContent = (places > 0 ? "▲" : "▼") + Math.abs(places);
  moved.classList.toggle("up", places > 0);
  setTimeout(() => { moved.textContent = ""; }, moveShown);
}

// --- the whole page, when the questions are others than before ---

let reloading = false, again = false;

async function reload() {
  if (reloading) {
    again = true;
    return;
  }
  reloading = true;
  try {
    await new Promise((done) => setTimeout(done, Math.random() * 200)); // not all boards at once
    const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!reply.ok) throw new Error(reply.status);
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    $("board").replaceWith(fresh.getElementById("board"));
    Object.assign(body, { version: fresh.body.dataset.version, seq: fresh.body.dataset.seq });
    document.title = fresh.title;
    settle();
  } catch {
    again = true;
    await new Promise((done) => setTimeout(done, 1000));
  } finally {
    reloading = false;
    if (again) {
      again = false;
      reload();
    }
  }
}

function settle() {
  const counted = document.querySelector("[data-counts]");
  if (counted) $("counts").replaceChildren(...counted.childNodes);
  paged();
}

// --- chart, news and counts, which are asked for less often ---

const asideGap = 1500; // ms
let asideAt = -Infinity, asideTimer = 0;

function refreshAside() {
  clearTimeout(asideTimer);
  const wait = Math.max(Math.random() * 150, asideAt + asideGap - performance.now());
  asideTimer = setTimeout(async () => {
    asideAt = performance.now();
    try {
      const reply = await fetch(`${body.path}/aside${location.search}`);
      if (!reply.ok) return;
      $("aside").innerHTML = await reply.text();
      settle();
    } catch { /* the next change asks again */ }
  }, wait);
}

settle();
turn(0);
startClock();
connect(`${body.path}/events${location.search}`, "board", body.seq, take);
