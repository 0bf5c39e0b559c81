import { createTimestamper } from "@/lib/core/timestamp.ts";

/** Writes one line of JSON for each request and for each event of interest to operators. */
export interface Log {
  /** Logs a request that was answered. */
  request(line: RequestLine): void;
  /** Logs an event; `fields` never hold a secret. */
  event(level: "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Settles when all lines written so far have left the process. */
  flush(): Promise<void>;
}

/** Logged properties of a request: its route's pattern, never its path, which may be a secret. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Time from the first byte read until the response was handed over, in milliseconds. */
  readonly ms: number;
}

/** Lines are flushed together once they reach this many characters or this age in milliseconds. */
const FLUSH_CHARACTERS = 64 * 1024;
const FLUSH_MS = 100;
/** Maximum number of characters that wait for a slow reader; further lines are dropped and counted. */
const MAX_WAITING = 4 * 1024 * 1024;

/** Creates a log that writes with `write`, which settles when its bytes are written. */
export function createLog(write: (bytes: Uint8Array) => Promise<unknown>, now: () => number): Log {
  const out = new LineWriter(write);
  const timestamp = createTimestamper();
  return {
    request({ id, method, route, status, ms }) {
      const level = status >= 500 ? "error" : "info";
      // Composed by hand because it runs for every request; none of these strings can contain a quote.
      const head = `{"time":"${timestamp(now())}","level":"${level}","id":"${id}","method":"${method}"`;
      out.add(`${head},"route":"${route}","status":${status},"ms":${Math.round(ms * 100) / 100}}\n`);
    },
    event(level, message, fields = {}) {
      out.add(JSON.stringify({ time: timestamp(now()), level, message, ...fields }) + "\n");
    },
    flush: () => out.flush(),
  };
}

/** Collects lines and writes them together, so that a line costs a request next to nothing. */
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

  add(line: string): void {
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
      const bytes = this.#encoder.encode(this.#waiting + this.#takeDropped());
      this.#waiting = "";
      // A closed pipe must not stop the server.
      await this.#write(bytes).catch(() => {});
    }
    this.#writing = null;
  }

  /** Returns a line with the number of dropped lines, or an empty string. */
  #takeDropped(): string {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped === 0
      ? ""
      : JSON.stringify({ level: "warn", message: "log lines dropped", dropped }) + "\n";
  }
}
