/** Figures that the server sends every second. */
export interface Figures {
  readonly urls: number;
  readonly visits: number;
  readonly today: number;
}

/** Listener of the figures and the connection. */
interface FigureListener {
  onFigures(figures: Figures): void;
  /** Called with false when the connection breaks, and with true when it is restored. */
  onLine(isThere: boolean): void;
}

/** Listens to the server's figures while the page is visible; returns a function that stops it. */
export function listenToFigures(path: string, listener: FigureListener): () => void {
  let line: EventSource | null = null;
  const open = () => {
    // A hidden page needs no connection, of which browsers have few.
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
