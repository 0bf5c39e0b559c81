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
  const encoder = new TextEncoder();
  let waiting = "";
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | null = null;

  const writeAll = async () => {
    while (waiting !== "") {
      const bytes = encoder.encode(waiting);
      waiting = dropped === 0 ? "" : toLine("warn", { message: "log lines dropped", dropped });
      dropped = 0;
      // A closed pipe must not take the server with it.
      await write(bytes).catch(() => {});
    }
    writing = null;
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    return writing ??= writeAll();
  };
  const toLine = (level: string, fields: Readonly<Record<string, unknown>>) =>
    JSON.stringify({ time: new Date(now()).toISOString(), level, ...fields }) + "\n";
  const add = (line: string) => {
    if (waiting.length + line.length > MAX_WAITING) {
      dropped++;
      return;
    }
    waiting += line;
    if (waiting.length >= FLUSH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  };

  return {
    request({ id, method, route, status, ms }) {
      add(toLine(status >= 500 ? "error" : "info", { id, method, route, status, ms: Math.round(ms * 100) / 100 }));
    },
    event(level, message, fields = {}) {
      add(toLine(level, { message, ...fields }));
    },
    async flush() {
      await flush();
    },
  };
}
