import { ACTION_SENT, POSITION_HEADER } from "./page_action.ts";

/** Milliseconds after which a page that sent a form is assumed to stay. */
const LEAVING_MS = 10_000;
/** Milliseconds until a stream that broke off or was refused is opened again. */
const PAUSE_MS = 20_000;
const EVENTS = ["here", "message", "stale", "error"];

/**
 * Shows a bar when the page's content was changed elsewhere, or when that is no longer known. Pages with an event
 * stream contain both bars as templates. The code is on every page and kept short for that reason.
 */
export function listenToNews(): void {
  const container = document.getElementById("page-news");
  if (container === null) return;
  const [changed, unsure] = container.querySelectorAll("template");
  let known = Number(container.dataset["position"]);
  let knownAt = Date.now();
  let reported = 0;
  let pending = 0;
  const end = keepStream(
    () =>
      `${container.dataset["path"]}&last_event_id=${known}&away=${Math.ceil((Date.now() - knownAt) / 1000)}`,
    ({ type, lastEventId }) => {
      const id = Number(lastEventId);
      if (type === "message" && id > known) reported = id;
      known = Math.max(known, id);
      knownAt = Date.now();
      if (type === "stale") showBar(unsure);
      update();
    },
  );
  const showBar = (bar: HTMLTemplateElement | undefined) => {
    end();
    reported = 0;
    container.replaceChildren(bar?.content ?? "");
    // Loads the address instead of reloading, as a reload could send a form again.
    container.onclick = ({ target }) =>
      target instanceof HTMLButtonElement && location.assign(location.pathname + location.search);
  };
  const update = () => reported > 0 && pending === 0 && showBar(changed);
  // The stream reports the page's own changes, too, often before the response arrives. The response has the id up to
  // which the page is current, so the bar waits for it. Changes by others up to that id are not reported.
  listenToForms(async (upTo) => {
    pending++;
    const shown = await upTo ?? 0;
    pending--;
    known = Math.max(known, shown);
    if (reported <= shown) reported = 0;
    update();
  });
}

/** Calls `wait` for each form that is sent, with the id up to which the page is current after the response. */
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

/** Keeps a stream open while the page is visible, as browsers limit connections; returns a function that ends it. */
function keepStream(toUrl: () => string, onEvent: (event: MessageEvent) => void): () => void {
  let isOver = false;
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reconnect = () => {
    clearTimeout(timer);
    stream?.close();
    if (isOver || document.hidden) return;
    stream = new EventSource(toUrl());
    for (const type of EVENTS) stream.addEventListener(type, handleEvent);
  };
  const handleEvent = (event: MessageEvent) => {
    if (event.type !== "error") return onEvent(event);
    // A browser would reconnect with the parameters of the first connection, which are outdated.
    stream?.close();
    timer = setTimeout(reconnect, PAUSE_MS);
  };
  document.addEventListener("visibilitychange", reconnect);
  reconnect();
  return () => {
    isOver = true;
    reconnect();
  };
}
