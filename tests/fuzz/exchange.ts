import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { settled } from "@/tests/helpers/wait.ts";

/** An answer as it came over the wire. */
export interface Answer {
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly headers: Headers;
  /** The body, decoded as UTF-8. */
  readonly body: string;
}

/** Options of an exchange. */
export interface ExchangeOptions {
  /** Milliseconds after which the client goes away. */
  readonly giveUpMs: number;
  /** Whether the answer has no body whatever its headers say. */
  readonly isHead: boolean;
}

/** Thrown when no answer has come in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const NO_ANSWER: Answer = { status: 0, headers: new Headers(), body: "" };
const HEAD_END = [13, 10, 13, 10];
const NO_BODY = [204, 304];

/**
 * Sends a request on a connection of its own and reads the answer.
 * @throws NoAnswer when it does not come in time.
 */
export async function exchange(
  port: number,
  message: Uint8Array,
  options: ExchangeOptions,
): Promise<Answer> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    const sending = send(connection, message);
    const reading = read(connection, options);
    const answer = await settled("an answer", reading, { giveUpMs: options.giveUpMs }).catch((cause) => {
      throw new NoAnswer("no answer in time", { cause });
    });
    connection.close();
    await sending;
    return answer;
  } catch (error) {
    try {
      connection.close();
    } catch {
      // It is closed already.
    }
    throw error;
  }
}

/** The other side may refuse a request before it has read all of it. */
async function send(connection: Deno.TcpConn, message: Uint8Array): Promise<void> {
  try {
    for (let rest = message; rest.length > 0;) rest = rest.subarray(await connection.write(rest));
  } catch {
    // The answer shows whether that is so.
  }
}

async function read(connection: Deno.TcpConn, { isHead }: ExchangeOptions): Promise<Answer> {
  const received = new Received();
  let head: Head | null = null;
  while (await received.readMore(connection)) {
    head ??= received.readHead();
    if (head === null) continue;
    // A stream of events has no end.
    const isStream = head.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isHead || isStream || NO_BODY.includes(head.status) || received.size >= head.end) break;
  }
  head ??= received.readHead();
  if (head === null) return NO_ANSWER;
  const content = received.bytes().subarray(head.start);
  const isChunked = head.headers.get("transfer-encoding") === "chunked";
  const encoded = isChunked ? joinChunks(content) : content;
  const body = new TextDecoder().decode(decompress(encoded, head.headers.get("content-encoding")));
  return { status: head.status, headers: head.headers, body };
}

function decompress(content: Uint8Array, coding: string | null): Uint8Array {
  if (content.length === 0) return content;
  if (coding === "gzip") return gunzipSync(content);
  return coding === "br" ? brotliDecompressSync(content) : content;
}

/** Head of an answer. */
interface Head {
  readonly status: number;
  readonly headers: Headers;
  /** Offset of the body. */
  readonly start: number;
  /** Offset of the body's end; infinite where only the end of the connection shows it. */
  readonly end: number;
}

/** Bytes read from a connection. */
class Received {
  readonly #parts: Uint8Array[] = [];
  #headStart = 0;
  size = 0;

  /** Returns false at the end of the connection. */
  async readMore(connection: Deno.TcpConn): Promise<boolean> {
    const buffer = new Uint8Array(64 * 1024);
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return false;
    this.#parts.push(buffer.subarray(0, size));
    this.size += size;
    return true;
  }

  /** Returns all bytes. */
  bytes(): Uint8Array {
    if (this.#parts.length === 1) return this.#parts[0] ?? new Uint8Array();
    const joined = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.#parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  /** Returns null as long as the head is incomplete. */
  readHead(): Head | null {
    const bytes = this.bytes().subarray(this.#headStart);
    const length = bytes.findIndex((_, at) => HEAD_END.every((byte, offset) => bytes[at + offset] === byte));
    if (length === -1) return null;
    const start = this.#headStart + length + HEAD_END.length;
    const [first = "", ...lines] = new TextDecoder("latin1").decode(bytes.subarray(0, length)).split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
    if (status >= 100 && status < 200) {
      this.#headStart = start;
      return this.readHead();
    }
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const bodyLength = headers.get("content-length");
    return { status, headers, start, end: bodyLength === null ? Infinity : start + Number(bodyLength) };
  }
}

function joinChunks(content: Uint8Array): Uint8Array {
  const decoder = new TextDecoder("latin1");
  const out = new Uint8Array(content.length);
  let size = 0;
  for (let at = 0; at < content.length;) {
    const lineEnd = content.indexOf(10, at);
    if (lineEnd === -1) break;
    const length = parseInt(decoder.decode(content.subarray(at, lineEnd)), 16);
    if (!(length > 0)) break;
    out.set(content.subarray(lineEnd + 1, lineEnd + 1 + length), size);
    size += Math.min(length, content.length - lineEnd - 1);
    at = lineEnd + 1 + length + 2;
  }
  return out.subarray(0, size);
}
