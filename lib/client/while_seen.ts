/**
 * Opens something for as long as the page is seen, and closes it with what `open` gives: browsers have few lines to a
 * server, and a page that nobody sees needs none. Gives what ends that.
 */
export function whileSeen(open: () => () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let close: (() => void) | null = null;
  const shut = () => {
    close?.();
    close = null;
  };
  const turn = () => {
    if (document.visibilityState === "hidden") shut();
    else close ??= open();
  };
  document.addEventListener("visibilitychange", turn, { signal });
  addEventListener("pagehide", shut, { signal });
  addEventListener("pageshow", turn, { signal });
  turn();
  return () => {
    ended.abort();
    shut();
  };
}
