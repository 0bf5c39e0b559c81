import { createTimestamper } from "@/lib/core/timestamp.ts";

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
const FLUSH_CHARACTERS = 64 * 1024;
const FLUSH_MS = 100;
/** Characters that may wait for a reader who is too slow; beyond it lines are dropped and counted. */
const MAX_WAITING = 4 * 1024 * 1024;

/** A log over `write`, which takes bytes and settles when they are taken. */
export function createLog(write: (bytes: Uint8Array) => Promise<unknown>, now: () => number): Log {
  const out = new LineWriter(write);
  const timestamp = createTimestamper();
  return {
    request({ id, method, route, status, ms }) {
      const level = status >= 500 ? "error" : "info";
      // Written by hand, as this runs for every request: none of these texts can hold a quote.
      const head = `{"time":"${timestamp(now())}","level":"${level}","id":"${id}","method":"${method}"`;
      out.add(`${head},"route":"${route}","status":${status},"ms":${Math.round(ms * 100) / 100}}\n`);
    },
    event(level, message, fields = {}) {
      out.add(JSON.stringify({ time: timestamp(now()), level, message, ...fields }) + "\n");
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
      // A closed pipe must not take the server with it.
      await this.#write(bytes).catch(() => {});
    }
    this.#writing = null;
  }

  /** A line that says how many are missing, or nothing. */
  #takeDropped(): string {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped === 0
      ? ""
      : JSON.stringify({ level: "warn", message: "log lines dropped", dropped }) + "\n";
  }
}
