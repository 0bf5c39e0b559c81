import { type Header, toBytes } from "./request.ts";

/** Ways in which parameters are sent. */
export const ENCODINGS = [
  "urlencoded",
  "multipart",
  "json",
  "text",
  "query",
  "latin1",
  "untyped",
  "truncated",
  "compressed",
] as const;
/** Way in which parameters are sent. */
export type Encoding = typeof ENCODINGS[number];
/** A parameter as text. */
export type Pair = readonly [name: string, text: string];

/** A body with its content type. */
export interface EncodedBody {
  readonly headers: readonly Header[];
  readonly body: string;
}

const BOUNDARY = "fuzzboundary";
const URLENCODED = "application/x-www-form-urlencoded";

/** Encodes parameters as a body. */
export function toBody(pairs: readonly Pair[], encoding: Encoding): EncodedBody {
  const form = toQuery(pairs);
  switch (encoding) {
    case "multipart":
      return { headers: typed(`multipart/form-data; boundary=${BOUNDARY}`), body: toMultipart(pairs) };
    case "truncated":
      return {
        headers: typed(`multipart/form-data; boundary="${BOUNDARY}"`),
        body: toMultipart(pairs).slice(0, -20),
      };
    case "json":
      return { headers: typed("application/json"), body: JSON.stringify(Object.fromEntries(pairs)) };
    case "text":
      return { headers: typed("text/plain;charset=UTF-16"), body: form };
    case "latin1":
      return { headers: typed(`${URLENCODED}; charset=iso-8859-1`), body: form };
    case "compressed":
      return { headers: [...typed(URLENCODED), ["content-encoding", "gzip"]], body: form };
    case "untyped":
      return { headers: [], body: form };
    default:
      return { headers: typed(URLENCODED), body: form };
  }
}

function typed(type: string): Header[] {
  return [["content-type", type]];
}

/** Encodes parameters for a query or a form; bytes that are no UTF-8 stay such. */
export function toQuery(pairs: readonly Pair[]): string {
  return pairs.map(([name, text]) => `${escape(name)}=${escape(text)}`).join("&");
}

/** Percent-encodes text; U+DC80 to U+DCFF become single bytes. */
export function escape(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  return Array.from(toBytes(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}

/** Parts with the name `file` are files. */
function toMultipart(pairs: readonly Pair[]): string {
  const parts = pairs.map(([name, text]) => {
    const file = name === "file" ? '; filename="a.png"\r\nContent-Type: image/png' : "";
    const quoted = name.replaceAll(/["\r\n]/g, "_");
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** A picture of one pixel, as the code units that `toBytes` sends as bytes. */
export const PICTURE = Array.from(
  Uint8Array.fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ),
  (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte),
).join("");
