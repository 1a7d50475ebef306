// A stream of events that stays open: through a restart of the server, a sleep,
// and a network that went away without saying so.

const silence = 40_000; // ms without a sign of life after which a stream is dead
const rest = 30_000; // ms out of sight after which a page lets go: browsers hold few connections to a server

// connect listens for events of a kind. It goes on where it was: from the event
// with the number `from`, and then from the last one that came. Each time that it
// breaks off, `lost` is told.
export function connect(path, kind, from, handle, lost) {
  const body = document.body.dataset;
  const shown = document.getElementById("connection");
  let last = from, source = null, heard = 0, wait = 500, timer = 0, resting = 0;

  function show(live) {
    if (!shown) return;
    shown.hidden = false;
    shown.classList.toggle("on", live);
    const said = live ? body.saidLive : body.saidOff;
    if (shown.lastElementChild.textContent !== said) shown.lastElementChild.textContent = said;
  }

  function alive() {
    heard = Date.now();
    wait = 500;
    show(true);
  }

  function open() {
    clearTimeout(timer);
    if (source) source.close();
    const address = new URL(path, location);
    if (last) address.searchParams.set("last_event_id", last);
    heard = Date.now();
    source = new EventSource(address);
    source.onopen = alive;
    source.addEventListener("alive", alive);
    source.addEventListener(kind, (event) => {
      alive();
      last = event.lastEventId || last;
      handle(JSON.parse(event.data));
    });
    source.onerror = () => {
      show(false);
      source.close();
      lost?.();
      clearTimeout(timer);
      timer = setTimeout(open, wait * (0.5 + Math.random()));
      wait = Math.min(wait * 2, 5000);
    };
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  setInterval(() => { if (source && Date.now() - heard > silence) { show(false); open(); } }, 5000);
  document.addEventListener("visibilitychange", () => {
    clearTimeout(resting);
    if (document.hidden) resting = setTimeout(close, rest);
    else if (!source) open();
  });
  addEventListener("online", open);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  open();
}
