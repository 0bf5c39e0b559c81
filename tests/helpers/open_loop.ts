import { waitFor } from "./wait.ts";

/** Requests of a load, and for how long they are sent. */
export interface LoadPlan {
  readonly port: number;
  /** Returns the bytes of the request with a number. */
  readonly request: (number: number) => Uint8Array<ArrayBuffer>;
  readonly seconds: number;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds after which requests are left out that this process was too busy to send; never by default. */
  readonly leaveOutAfterMs?: number;
}

/** The answer to one request. */
export interface Outcome {
  /** Number of the request. */
  readonly number: number;
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Milliseconds from the moment when the request was due until the whole answer had arrived. */
  readonly ms: number;
  /** Time when the answer had arrived, on the clock of the plan. */
  readonly at: number;
}

/** Maximum number of connections; requests that are due beyond them count as unanswered. */
const MAX_CONNECTIONS = 8000;
/** Time after the load in which the last answers are awaited, in milliseconds. */
const LAST_ANSWERS_MS = 5000;
const BUFFER_BYTES = 8 * 1024;
const LAST_CHUNK = "0\r\n\r\n";
const decoder = new TextDecoder("latin1");

/**
 * Sends `rate` requests a second, however long their answers take, as many independent clients do: each one that is due
 * takes an idle connection, or a new one. Returns the outcomes of all requests that were sent.
 */
export async function sendOpenLoop(
  { port, request, seconds, now, leaveOutAfterMs = Infinity }: LoadPlan,
  rate: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const pool = new ConnectionPool(port, now);
  const started = now();
  const total = Math.floor(rate * seconds);
  const countDue = () => Math.min(total, Math.floor((now() - started) / 1000 * rate));
  let [sent, leftOut] = [0, 0];
  const exchange = async (number: number) => {
    outcomes.push({ number, ...await pool.exchange(request(number), started + number / rate * 1000) });
  };
  while (sent < total) {
    await waitFor("a request is due", () => countDue() > sent);
    const due = countDue();
    const late = Math.max(0, due - sent - Math.ceil(leaveOutAfterMs / 1000 * rate));
    [sent, leftOut] = [sent + late, leftOut + late];
    for (; sent < due; sent++) exchange(sent);
  }
  const isOver = () => outcomes.length === total - leftOut;
  await waitFor("the last answers arrive", isOver, { giveUpMs: LAST_ANSWERS_MS }).catch(() => {});
  pool.close();
  await waitFor("the other requests have ended", isOver);
  return outcomes;
}

/** Sends requests over some connections, each of which waits for its answer before the next request. */
export async function sendClosedLoop(
  { port, request, seconds, now }: LoadPlan,
  connections: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const pool = new ConnectionPool(port, now);
  const end = now() + seconds * 1000;
  let sent = 0;
  const sendAll = async () => {
    while (now() < end) {
      const number = sent++;
      outcomes.push({ number, ...await pool.exchange(request(number), now()) });
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
  pool.close();
  return outcomes;
}

/** A connection that is used again, and the memory that its answers are read into. */
interface PooledConnection {
  readonly socket: Deno.TcpConn;
  readonly buffer: Uint8Array<ArrayBuffer>;
}

/** Connections to a server that are used again. */
class ConnectionPool {
  readonly #idle: PooledConnection[] = [];
  readonly #open = new Set<PooledConnection>();
  #connecting = 0;

  constructor(private readonly port: number, private readonly now: () => number) {}

  /** Sends a request and reads its answer. */
  async exchange(bytes: Uint8Array<ArrayBuffer>, dueAt: number): Promise<Omit<Outcome, "number">> {
    const answer = await this.#tryExchange(bytes);
    const { status = 0, hasRetryAfter = false } = answer ?? {};
    const at = this.now();
    return { status, hasRetryAfter, ms: at - dueAt, at };
  }

  /** Closes all connections. */
  close(): void {
    for (const connection of this.#open) this.#drop(connection);
  }

  async #tryExchange(bytes: Uint8Array<ArrayBuffer>): Promise<Answer | null> {
    const connection = this.#idle.pop() ?? await this.#connect();
    if (connection === null) return null;
    try {
      await writeAll(connection, bytes);
      const answer = await readAnswer(connection);
      if (answer?.isReusable === true) this.#idle.push(connection);
      else this.#drop(connection);
      return answer;
    } catch {
      this.#drop(connection);
      return null;
    }
  }

  async #connect(): Promise<PooledConnection | null> {
    if (this.#open.size + this.#connecting >= MAX_CONNECTIONS) return null;
    this.#connecting++;
    try {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port: this.port });
      const connection = { socket, buffer: new Uint8Array(BUFFER_BYTES) };
      this.#open.add(connection);
      return connection;
    } catch {
      return null;
    } finally {
      this.#connecting--;
    }
  }

  #drop(connection: PooledConnection): void {
    if (this.#open.delete(connection)) connection.socket.close();
  }
}

interface Answer {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly isReusable: boolean;
}

async function writeAll({ socket }: PooledConnection, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await socket.write(rest));
}

/** Reads one answer with a Content-Length or in chunks; null when the connection ends before. */
async function readAnswer({ socket, buffer }: PooledConnection): Promise<Answer | null> {
  let head = "";
  let bodyStart = -1;
  while (bodyStart === -1) {
    const size = await socket.read(buffer);
    if (size === null) return null;
    head += decoder.decode(buffer.subarray(0, size));
    bodyStart = head.indexOf("\r\n\r\n");
  }
  const fields = head.slice(0, bodyStart).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(fields)?.[1];
  let left = length === undefined ? Infinity : Number(length) - (head.length - bodyStart - 4);
  let tail = head.slice(-LAST_CHUNK.length);
  while (left > 0 && (length !== undefined || tail !== LAST_CHUNK)) {
    const size = await socket.read(buffer);
    if (size === null) return null;
    left -= size;
    const last = decoder.decode(buffer.subarray(Math.max(0, size - LAST_CHUNK.length), size));
    tail = (tail + last).slice(-LAST_CHUNK.length);
  }
  return {
    status: Number(fields.slice(9, 12)),
    hasRetryAfter: fields.includes("\r\nretry-after: "),
    isReusable: !fields.includes("\r\nconnection: close"),
  };
}
