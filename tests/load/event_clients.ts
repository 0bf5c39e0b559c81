import { waitFor } from "../helpers/wait.ts";
import type { LoadUser } from "./chat_seeding.ts";

/** Milliseconds without an answer after which a client gives up: longer than a server waits for events. */
const GIVE_UP_MS = 120_000;
/** Milliseconds after an answer in which a server may hold back the next one, and as many more. */
const BETWEEN_ANSWERS_MS = 300;

/** The loss of a server, or its refusal because it has too much to do. */
export class LostConnection extends Error {}

/** A user's client with an event queue, over one connection that it keeps, as light as a client can be. */
export class EventClient implements Disposable {
  queueId = "";
  last = -1;
  /** Number of repeated requests because the server was lost or overloaded. */
  retries = 0;
  #connection: Deno.TcpConn | null = null;
  #port = 0;
  #asked: Promise<number[]> = Promise.resolve([]);

  constructor(readonly user: LoadUser) {}

  /** Connects to a server on this machine. */
  async connect(port: number): Promise<void> {
    this[Symbol.dispose]();
    this.#port = port;
    this.#connection = await Deno.connect({ hostname: "127.0.0.1", port });
  }

  /** Registers a queue for messages. */
  async register(): Promise<void> {
    const form = new URLSearchParams({ event_types: '["message"]', fetch_event_types: "[]" });
    const { queue_id, last_event_id } = await this.#ask("POST", "/register", String(form));
    [this.queueId, this.last] = [String(queue_id), Number(last_event_id)];
  }

  /** Asks for events, and leaves the answer to `end`. */
  begin(): void {
    this.#asked = this.#tryToHear().then((ids) => ids ?? []);
    // A request that is never ended may fail.
    this.#asked.catch(() => {});
  }

  /** Returns the ids of the messages that answer the request of `begin`, at least one. */
  async end(): Promise<number[]> {
    const ids = await this.#asked;
    return ids.length > 0 ? ids : await this.hearMany(1, this.#port);
  }

  /** Abandons the request of `begin` and the connection. */
  forget(): void {
    this[Symbol.dispose]();
    this.#asked = Promise.resolve([]);
  }

  /** Asks a server for events until `count` messages came, reconnecting if need be; returns their ids. */
  async hearMany(count: number, port: number): Promise<number[]> {
    this.#port = port;
    const ids: number[] = [];
    const options = { isMet: (received: number[] | null) => received !== null, giveUpMs: GIVE_UP_MS };
    while (ids.length < count) {
      const received = await waitFor(
        "the server answers a request for events",
        () => this.#tryToHear(),
        options,
      );
      ids.push(...received ?? []);
    }
    return ids;
  }

  /** Asks for events, and returns the ids of the messages that come; none for a heartbeat. */
  async hear(dontBlock = false): Promise<number[]> {
    const query = new URLSearchParams({
      queue_id: this.queueId,
      last_event_id: String(this.last),
      dont_block: String(dontBlock),
    });
    const { events } = await this.#ask("GET", `/events?${query}`);
    if (!Array.isArray(events)) throw new Error("The answer has no events");
    for (const { id } of events) this.last = Math.max(this.last, id);
    return events.flatMap(({ message }) => message === undefined ? [] : [message.id]);
  }

  /** Asks for events; returns null where the server was lost or has too much to do. */
  async #tryToHear(): Promise<number[] | null> {
    try {
      if (this.#connection === null) await this.connect(this.#port);
      return await this.hear();
    } catch (error) {
      const isPassing = error instanceof Deno.errors.ConnectionRefused || error instanceof LostConnection ||
        error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe;
      if (!isPassing) throw error;
      this.retries++;
      this[Symbol.dispose]();
      return null;
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#connection?.close();
    } catch {
      // It is closed already.
    }
    this.#connection = null;
  }

  async #ask(method: string, path: string, body = ""): Promise<Record<string, unknown>> {
    const connection = this.#connection;
    if (connection === null) throw new Error("There is no connection");
    const head = [
      `${method} /api/v1${path} HTTP/1.1`,
      `host: 127.0.0.1:${this.#port}`,
      `authorization: ${this.user.authorization}`,
      "content-type: application/x-www-form-urlencoded",
      `content-length: ${body.length}`,
    ];
    const bytes = new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`);
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    const { status, text } = await readAnswer(connection);
    if (status === 503) throw new LostConnection();
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  }
}

/** Reads one response with a Content-Length. */
async function readAnswer(connection: Deno.TcpConn): Promise<{ status: number; text: string }> {
  let received = new Uint8Array(0);
  const buffer = new Uint8Array(4096);
  for (;;) {
    const size = await connection.read(buffer);
    if (size === null) throw new LostConnection();
    const joined = new Uint8Array(received.length + size);
    joined.set(received);
    joined.set(buffer.subarray(0, size), received.length);
    received = joined;
    const text = new TextDecoder("latin1").decode(received);
    const end = text.indexOf("\r\n\r\n");
    const length = /^content-length: (\d+)/im.exec(text)?.[1];
    if (end === -1 || received.length < end + 4 + Number(length)) continue;
    return { status: Number(text.slice(9, 12)), text: new TextDecoder().decode(received.slice(end + 4)) };
  }
}

/** Runs a step for each client, a few at a time. */
export async function forEach(
  clients: readonly EventClient[],
  step: (client: EventClient) => Promise<unknown>,
  atOnce = 50,
): Promise<void> {
  const rest = clients.values();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const client of rest) await step(client);
  }));
}

/**
 * Sends a message `rounds` times to clients that have begun to wait, and returns the milliseconds until each of them
 * has received each message. Afterwards all wait again.
 */
export async function measureDelivery(
  receiving: readonly EventClient[],
  rounds: number,
  send: (round: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const received = receiving.map(async (client) => {
      await client.end();
      times.push(performance.now() - started);
      client.begin();
    });
    await send(round);
    await Promise.all(received);
    const answered = performance.now();
    await waitFor(
      "the queues may be answered again",
      () => performance.now() - answered > BETWEEN_ANSWERS_MS,
    );
  }
  return times;
}
