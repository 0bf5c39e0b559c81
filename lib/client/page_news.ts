import { ACTION_SENT, POSITION_HEADER } from "./page_action.ts";

/** A page that sent a form is left meanwhile, or stays after all. */
const LEAVING_MS = 10_000;
/** Until a line that broke or was refused is opened again. */
const PAUSE_MS = 20_000;
const EVENTS = ["here", "message", "stale", "error"];

/**
 * Brings in the bar that says that something was changed elsewhere which the page shows, or the one that says that
 * nobody can tell any more; both lie ready where the page has something to listen for. It is on every page, and short for
 * that reason.
 */
export function listenToNews(): void {
  const place = document.getElementById("page-news");
  if (place === null) return;
  const [changed, unsure] = place.querySelectorAll("template");
  let known = Number(place.dataset["position"]);
  let knownAt = Date.now();
  let told = 0;
  let underWay = 0;
  const end = keepLine(
    () => `${place.dataset["path"]}&last_event_id=${known}&away=${Math.ceil((Date.now() - knownAt) / 1000)}`,
    ({ type, lastEventId }) => {
      const id = Number(lastEventId);
      if (type === "message" && id > known) told = id;
      known = Math.max(known, id);
      knownAt = Date.now();
      if (type === "stale") show(unsure);
      look();
    },
  );
  const show = (bar: HTMLTemplateElement | undefined) => {
    end();
    told = 0;
    place.replaceChildren(bar?.content ?? "");
    // By its address and not again as it came: that may have been with a form.
    place.onclick = ({ target }) =>
      target instanceof HTMLButtonElement && location.assign(location.pathname + location.search);
  };
  const look = () => told > 0 && underWay === 0 && show(changed);
  // What one changes on a page is told, too, often before the answer comes. The page shows that already, and with it all
  // that came before: so it waits for the answer, which says up to where that is. What others do in that moment is lost.
  listenToForms(async (upTo) => {
    underWay++;
    const shown = await upTo ?? 0;
    underWay--;
    known = Math.max(known, shown);
    if (told <= shown) told = 0;
    look();
  });
}

/** Calls `wait` for each form that is sent, with the id up to which the page shows everything then. */
function listenToForms(wait: (upTo: Promise<number> | undefined) => void): void {
  document.addEventListener(
    ACTION_SENT,
    ({ detail }: CustomEventInit<Promise<Response>>) =>
      wait(detail?.then(({ headers }) => Number(headers.get(POSITION_HEADER)), () => 0)),
  );
  document.addEventListener(
    "submit",
    ({ defaultPrevented }) =>
      defaultPrevented || wait(new Promise((resolve) => setTimeout(resolve, LEAVING_MS, 0))),
  );
}

/** Keeps a line open while the page is seen, as browsers have few; gives what ends that. */
function keepLine(toUrl: () => string, hear: (event: MessageEvent) => void): () => void {
  let isOver = false;
  let line: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = () => {
    clearTimeout(timer);
    line?.close();
    if (isOver || document.hidden) return;
    line = new EventSource(toUrl());
    for (const type of EVENTS) line.addEventListener(type, take);
  };
  const take = (event: MessageEvent) => {
    if (event.type !== "error") return hear(event);
    // Left to itself the browser would come back with what was true when the line was opened.
    line?.close();
    timer = setTimeout(turn, PAUSE_MS);
  };
  document.addEventListener("visibilitychange", turn);
  turn();
  return () => {
    isOver = true;
    turn();
  };
}
