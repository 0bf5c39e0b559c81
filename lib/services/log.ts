import { createTimestamper } from "@/lib/core/clock.ts";

/** Writes one line of JSON for each request and for each event of interest to operators. */
export interface Log {
  /** Logs a request that was answered. */
  request(line: RequestLine): void;
  /** Logs an event; `fields` never hold a secret. */
  event(level: "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Settles when all lines so far have left the process or are lost. */
  flush(): Promise<void>;
  /** Returns what became of the lines so far. */
  counts(): LogCounts;
}

/** Numbers of lines since the start. */
interface LogCounts {
  readonly written: number;
  /** Lines that wait or are being written. */
  readonly waiting: number;
  /** Lines that were too many for a slow reader, or that could not be written. */
  readonly dropped: number;
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

/** Creates a log that writes with `write`, which settles when all of its bytes are written. */
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
    counts: () => out.counts(),
  };
}

/** Collects lines and writes them together, so that a line costs a request next to nothing. */
class LineWriter {
  readonly #encoder = new TextEncoder();
  readonly #write: (bytes: Uint8Array) => Promise<unknown>;
  /** Lines that no write has taken, and their number. */
  #text = "";
  #lines = 0;
  #counts = { written: 0, waiting: 0, dropped: 0 };
  /** Dropped lines that the log reports. */
  #reported = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last write that was asked for; writes run one after the other. */
  #last: Promise<void> = Promise.resolve();
  /** Whether the last write has not begun, and will take all lines that come until then. */
  #isQueued = false;

  constructor(write: (bytes: Uint8Array) => Promise<unknown>) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#text.length + line.length > MAX_WAITING) {
      this.#counts.dropped++;
      return;
    }
    this.#append(line);
    if (this.#text.length >= FLUSH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isQueued) {
      this.#isQueued = true;
      this.#last = this.#last.then(() => this.#writeLines());
    }
    return this.#last;
  }

  counts(): LogCounts {
    return { ...this.#counts };
  }

  #append(line: string): void {
    this.#text += line;
    this.#lines++;
    this.#counts.waiting++;
  }

  /** Never fails: a closed pipe must not stop the server. */
  async #writeLines(): Promise<void> {
    this.#isQueued = false;
    if (this.#lines === 0) return;
    const { dropped } = this.#counts;
    const unreported = dropped - this.#reported;
    if (unreported > 0) {
      this.#append(
        JSON.stringify({ level: "warn", message: "log lines dropped", dropped: unreported }) + "\n",
      );
    }
    const [text, lines] = [this.#text, this.#lines];
    [this.#text, this.#lines] = ["", 0];
    try {
      await this.#write(this.#encoder.encode(text));
      this.#counts.written += lines;
      this.#reported = dropped;
    } catch {
      this.#counts.dropped += lines;
    }
    this.#counts.waiting -= lines;
  }
}

/** Request ids that are accepted from clients and proxies. */
const GIVEN_ID = /^[\w.-]{1,64}$/;

/** Creates request ids that no other process assigns: 12 random characters for the process and a counter. */
export function createRequestIds() {
  const process = crypto.getRandomValues(new Uint8Array(6)).toHex();
  let count = 0;
  return {
    /** Returns the id that the request carries if it is well-formed, else a new one. */
    of(request: Request): string {
      const given = request.headers.get("x-request-id");
      return given !== null && GIVEN_ID.test(given) ? given : `${process}-${(count++).toString(36)}`;
    },
  };
}
