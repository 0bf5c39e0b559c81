/** What the server tells every second. */
export interface Figures {
  readonly urls: number;
  readonly visits: number;
  readonly today: number;
}

/** What becomes of a line to the server. */
export interface FigureListener {
  onFigures(figures: Figures): void;
  /** Called with false when the line breaks, and with true when it stands again. */
  onLine(isThere: boolean): void;
}

/** Listens to the server's figures while the page is seen; gives what ends that. */
export function listenToFigures(path: string, listener: FigureListener): () => void {
  let line: EventSource | null = null;
  const open = () => {
    // A page that nobody sees needs no line, of which browsers have few.
    if (document.visibilityState === "hidden" || line !== null) return;
    line = new EventSource(path);
    line.addEventListener("open", () => listener.onLine(true));
    line.addEventListener("error", () => listener.onLine(false));
    line.addEventListener("message", ({ data }) => {
      const figures = readFigures(String(data));
      if (figures !== null) listener.onFigures(figures);
    });
  };
  const close = () => {
    line?.close();
    line = null;
  };
  const turn = () => document.visibilityState === "hidden" ? close() : open();
  document.addEventListener("visibilitychange", turn);
  addEventListener("pagehide", close);
  open();
  return () => {
    document.removeEventListener("visibilitychange", turn);
    removeEventListener("pagehide", close);
    close();
  };
}

function readFigures(text: string): Figures | null {
  try {
    const { urls, visits, today }: Record<string, unknown> = JSON.parse(text);
    const isWhole = typeof urls === "number" && typeof visits === "number" && typeof today === "number";
    return isWhole ? { urls, visits, today } : null;
  } catch {
    return null;
  }
}
