import { settled } from "./wait.ts";

/** Server that a raw request is sent to. */
export interface RawTarget {
  readonly port: number;
}

/** A response as it came over the wire. */
export interface RawAnswer {
  /** 0 when the connection was closed without one. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Characters of an unfinished response that a failure shows. */
const SHOWN_CHARACTERS = 500;
const encoder = new TextEncoder();

/** A TCP connection over which a test sends any bytes. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  #received = new Uint8Array(0);
  #isOpen = true;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open({ port }: RawTarget): Promise<RawConnection> {
    return new RawConnection(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /** Sends text (as UTF-8) or bytes; false when the other side no longer takes it. */
  async send(content: string | Uint8Array): Promise<boolean> {
    let rest = typeof content === "string" ? encoder.encode(content) : content;
    try {
      while (rest.length > 0) rest = rest.subarray(await this.#connection.write(rest));
      return true;
    } catch {
      return false;
    }
  }

  /** Reads one response with a Content-Length, or up to the end of the connection. */
  readAnswer(): Promise<RawAnswer> {
    return settled("a whole response, or the end of the connection", this.#readAnswer(), {
      explain: () => `Received:\n${this.#text.slice(0, SHOWN_CHARACTERS)}`,
    });
  }

  /** Waits for the first bytes of a response; false when the connection ends without any. */
  async readSome(): Promise<boolean> {
    return await settled("the first bytes of a response", this.#readMore());
  }

  /** Closes the connection; unsent and unread data is lost. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #text(): string {
    return new TextDecoder("latin1").decode(this.#received);
  }

  async #readAnswer(): Promise<RawAnswer> {
    do {
      const answer = parseAnswer(this.#text, false);
      if (answer !== null) return answer;
    } while (await this.#readMore());
    return parseAnswer(this.#text, true) ?? { status: 0, headers: new Headers(), body: this.#text };
  }

  async #readMore(): Promise<boolean> {
    const buffer = new Uint8Array(16 * 1024);
    let size: number | null;
    try {
      size = await this.#connection.read(buffer);
    } catch {
      return false;
    }
    if (size === null) return false;
    const joined = new Uint8Array(this.#received.length + size);
    joined.set(this.#received);
    joined.set(buffer.subarray(0, size), this.#received.length);
    this.#received = joined;
    return true;
  }
}

/** Sends one raw request on its own connection and returns the response. */
export async function sendRaw(target: RawTarget, content: string | Uint8Array): Promise<RawAnswer> {
  using connection = await RawConnection.open(target);
  await connection.send(content);
  return await connection.readAnswer();
}

function parseAnswer(text: string, isComplete: boolean): RawAnswer | null {
  const headEnd = text.indexOf("\r\n\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  if (headEnd === -1 || status === undefined) return null;
  const headers = new Headers();
  for (const line of text.slice(0, headEnd).split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = text.slice(headEnd + 4);
  const length = headers.get("content-length");
  const isWhole = isComplete || (length !== null && body.length >= Number(length));
  return isWhole ? { status: Number(status), headers, body } : null;
}
