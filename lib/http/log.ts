/** Writes one line of JSON for each request and for each thing that an operator should know. */
export interface Log {
  /** One request that was answered. */
  request(line: RequestLine): void;
  /** Something worth knowing; `fields` never hold a secret. */
  event(level: "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Settles when everything written so far has left the process. */
  flush(): Promise<void>;
}

/** What is kept of a request: its route's pattern, never its path, which may be a secret. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Milliseconds from the first byte read to the answer handed over. */
  readonly ms: number;
}

/** Lines are handed to the system together when they are so many characters, or so many milliseconds old. */
const FLUSH_CHARACTERS = 32 * 1024;
const FLUSH_MS = 50;
/** Characters that may wait for a reader who is too slow; beyond it lines are dropped and counted. */
const MAX_WAITING = 4 * 1024 * 1024;

/** A log over `write`, which takes bytes and settles when they are taken. */
export function createLog(write: (bytes: Uint8Array) => Promise<unknown>, now: () => number): Log {
  const out = new LineWriter(write);
  const time = () => new Date(now()).toISOString();
  return {
    request({ id, method, route, status, ms }) {
      const level = status >= 500 ? "error" : "info";
      out.add({ time: time(), level, id, method, route, status, ms: Math.round(ms * 100) / 100 });
    },
    event(level, message, fields = {}) {
      out.add({ time: time(), level, message, ...fields });
    },
    flush: () => out.flush(),
  };
}

/** Gathers lines and hands them on together, so that a line costs a request next to nothing. */
class LineWriter {
  readonly #encoder = new TextEncoder();
  readonly #write: (bytes: Uint8Array) => Promise<unknown>;
  #waiting = "";
  #dropped = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | null = null;

  constructor(write: (bytes: Uint8Array) => Promise<unknown>) {
    this.#write = write;
  }

  add(fields: Readonly<Record<string, unknown>>): void {
    const line = JSON.stringify(fields) + "\n";
    if (this.#waiting.length + line.length > MAX_WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= FLUSH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting !== "") {
      const bytes = this.#encoder.encode(this.#waiting);
      this.#waiting = "";
      // A closed pipe must not take the server with it.
      await this.#write(bytes).catch(() => {});
      if (this.#dropped > 0) this.#noteDropped();
    }
    this.#writing = null;
  }

  #noteDropped(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.add({ level: "warn", message: "log lines dropped", dropped });
  }
}
