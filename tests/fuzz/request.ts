import { Buffer } from "node:buffer";

/** Accounts and other credentials that requests are sent with. */
export const CALLERS = [
  "owner",
  "admin",
  "moderator",
  "member",
  "guest",
  "bot",
  "outsider",
  "leaver",
  "owner_session",
  "admin_session",
  "member_session",
  "nobody",
  "wrong_key",
] as const;
/** Name of a caller. */
export type CallerName = typeof CALLERS[number];

/** A header line. */
export type Header = readonly [name: string, value: string];

/** A request as it is sent, except for its credentials and the ids of records. */
export interface FuzzRequest {
  readonly caller: CallerName;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  /**
   * Text that is sent as UTF-8; the code units U+DC80 to U+DCFF stand for the bytes 0x80 to 0xFF, which makes
   * bytes that are no UTF-8 possible everywhere.
   */
  readonly body: string | null;
  readonly isChunked: boolean;
  /** Whether the request breaks the syntax of HTTP, so that no answer of the application can be expected. */
  readonly isMalformed: boolean;
}

/** A request with defaults for what is left out. */
export function toRequest(parts: Partial<FuzzRequest> & { readonly target: string }): FuzzRequest {
  return {
    caller: "nobody",
    method: "GET",
    headers: [],
    body: null,
    isChunked: false,
    isMalformed: false,
    ...parts,
  };
}

/** Encodes text as UTF-8, and U+DC80 to U+DCFF as single bytes. */
export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return new Uint8Array(bytes);
}

/** Returns the header lines without those of a name. */
export function withoutHeader(headers: readonly Header[], name: string): readonly Header[] {
  return headers.filter(([header]) => header.toLowerCase() !== name);
}

/** Returns the bytes of a request with its head. */
export function toMessage(
  { method, target, headers, body, isChunked }: FuzzRequest,
): Uint8Array<ArrayBuffer> {
  const content = body === null ? new Uint8Array() : toBytes(body);
  const framing: Header[] = body === null
    ? []
    : isChunked
    ? [["transfer-encoding", "chunked"]]
    : [["content-length", String(content.length)]];
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = toBytes(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return join(body !== null && isChunked ? [head, ...toChunks(content)] : [head, content]);
}

/** Splits a body into chunks of growing size. */
function toChunks(content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0, size = 1; at < content.length; at += size, size *= 3) {
    const part = content.subarray(at, at + size);
    parts.push(toBytes(`${part.length.toString(16)}\r\n`), part, toBytes("\r\n"));
  }
  return [...parts, toBytes("0\r\n\r\n")];
}

function join(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Length of a body that a command shows whole. */
const SHOWN_BODY = 4000;

/** Writes a request as a shell command that repeats it. */
export function toCommand(request: FuzzRequest, baseUrl: string): string {
  if (request.isMalformed) {
    const { hostname, port } = new URL(baseUrl);
    return `printf '%b' ${quote(toLatin1(toMessage(request)))} | nc ${hostname} ${port}`;
  }
  const { method, target, headers, body } = request;
  const own = withoutHeader(headers, "connection");
  const data = body === null ? "" : ` --data-binary ${quote(toLatin1(toBytes(body)).slice(0, SHOWN_BODY))}`;
  const cut = (body ?? "").length > SHOWN_BODY ? ` # of ${(body ?? "").length} characters` : "";
  const lines = own.map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`).join("");
  return `curl -i --path-as-is -X ${quote(method)} ${quote(baseUrl + target)}${lines}${data}${cut}`;
}

/** Converts each byte to one character. */
function toLatin1(bytes: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Quotes text for bash, with escapes for what is not plain. */
function quote(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const escape = (character: string) => {
    const code = character.charCodeAt(0);
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  };
  return `$'${text.replaceAll(/[^\x20-\x7e]|['\\]/g, escape)}'`;
}
