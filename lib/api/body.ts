import { concatBytes } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { findJsonExcess, MAX_JSON_DEPTH } from "@/lib/core/parse_json.ts";
import type { BodySource } from "@/lib/core/body_arrival.ts";
import { PaceWatch } from "./body_pace.ts";
import { isJsonLongerThan, jsonPieces, toJsonText } from "@/lib/core/json_pieces.ts";
import { streamText } from "./response.ts";

/** Maximum size of a JSON body, in bytes. */
const JSON_BODY_BYTES = 64 * 1024;
/** Maximum size of a form of the API or of an administration page, in bytes. */
export const FORM_BODY_BYTES = 1024 * 1024;
/** Maximum number of fields in a request: no form is longer, and more names would only cost time. */
export const MAX_FIELDS = 1000;
/** Time within which a body must arrive, in milliseconds. */
const BODY_DEADLINE_MS = 30_000;
/** Limits of a form that anyone may send, such as the sign-in form. */
const PAGE_FORM: BodyLimits = { maxBytes: 64 * 1024, deadlineMs: 5000 };

/** Size and time limits of a body; its rate is limited, too. */
interface BodyLimits {
  readonly maxBytes: number;
  readonly deadlineMs?: number;
}

/**
 * Reads a JSON body.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, CONTENT_TOO_LARGE, REQUEST_TIMEOUT, or BAD_REQUEST for invalid
 * JSON.
 */
export async function readJson(source: BodySource): Promise<unknown> {
  requireJson(source.req);
  return parseBody(await readText(source, { maxBytes: JSON_BODY_BYTES }));
}

function parseBody(text: string): unknown {
  if (findJsonExcess(text) === "depth") {
    throw new AppError("BAD_REQUEST", `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", "The body is not valid JSON.", { cause });
  }
}

/**
 * Reads the JSON that a webhook received: its body, or the field `payload` of an urlencoded form.
 * @throws AppError as `readJson`.
 */
export async function readWebhookBody(source: BodySource): Promise<unknown> {
  if (!isForm(source.req)) return await readJson(source);
  const payload = (await readForm(source, { maxBytes: JSON_BODY_BYTES })).get("payload");
  if (payload === undefined) throw new AppError("BAD_REQUEST", "The form has no field 'payload' with JSON.");
  return parseBody(payload);
}

/**
 * Reads an urlencoded form; the last value of a repeated name wins.
 * @throws AppError CONTENT_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for too many
 * fields.
 */
export async function readForm(
  source: BodySource,
  limits: BodyLimits = { maxBytes: FORM_BODY_BYTES },
): Promise<ReadonlyMap<string, string>> {
  const text = await readText(source, limits);
  // Counted before parsing, which takes a quarter of a second for a million empty fields.
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields();
  return new Map(new URLSearchParams(text));
}

/**
 * Reads the form of a page that anyone may send: 64 kB within 5 seconds at most.
 * @throws AppError as `readForm`.
 */
export function readPageForm(source: BodySource): Promise<ReadonlyMap<string, string>> {
  return readForm(source, PAGE_FORM);
}

/** Refusal of a request with too many fields. */
export function tooManyFields(max = MAX_FIELDS): AppError {
  return new AppError("BAD_REQUEST", `A request has ${max} fields at most.`);
}

/** Maximum length of a content type in characters; longer ones only cost the time to read them. */
const MAX_CONTENT_TYPE = 1000;

/** Returns the content type of a body; an empty text without one, and for one that is too long. */
export function contentTypeOf({ headers }: Request): string {
  const type = headers.get("content-type") ?? "";
  return type.length > MAX_CONTENT_TYPE ? "" : type;
}

/** Whether a body is an urlencoded form according to its content type. */
export function isForm(request: Request): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentTypeOf(request));
}

/** Whether a body is a multipart form according to its content type. */
export function isMultipart(request: Request): boolean {
  return /^multipart\/form-data\s*;/i.test(contentTypeOf(request));
}

/** JSON in UTF-8. No two quantifiers can match the same blanks, so that a mismatch takes linear time. */
const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*(?:;\s*)?)?)?$/i;

/** Accepts a body without a content type as JSON; refuses other types and other character sets than UTF-8. */
function requireJson(request: Request): void {
  if (!request.headers.has("content-type") || JSON_TYPE.test(contentTypeOf(request))) return;
  throw new AppError(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body must be JSON in UTF-8, with content-type application/json.",
  );
}

/**
 * Refuses a body with a content encoding: none is decoded, and its bytes would be taken for the content.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE.
 */
export function requireUnencoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding");
  if (encoding === null || ["", "identity"].includes(encoding.trim().toLowerCase())) return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent without a content encoding.");
}

async function readText(source: BodySource, limits: BodyLimits): Promise<string> {
  const bytes = await readBytes(source, limits);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", "The body is not valid UTF-8.", { cause });
  }
}

/**
 * Reads a body up to its limit; bytes beyond it never enter memory.
 * @throws AppError CONTENT_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for a body that
 * ends early.
 */
export async function readBytes(source: BodySource, limits: BodyLimits): Promise<Uint8Array> {
  const request = source.req;
  const { maxBytes, deadlineMs = BODY_DEADLINE_MS } = limits;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array(0);
  requireUnencoded(request);
  const reader = request.body.getReader();
  const late = Promise.withResolvers<never>();
  using pace = new PaceWatch(source, { deadlineMs, idleMs: deadlineMs }, late.reject);
  try {
    return await Promise.race([readAll(reader, maxBytes, pace), late.promise]);
  } catch (error) {
    reader.cancel().catch(() => {});
    throw toReadError(error);
  }
}

function toReadError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (cause instanceof Deno.errors.BadResource) {
    // The server is shutting down and has given up on bytes that had not arrived.
    return new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1, cause });
  }
  return new AppError("BAD_REQUEST", "The body ended early.", { cause });
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  pace: PaceWatch,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    pace.add(value.length);
    if (size > maxBytes) throw tooLarge(maxBytes);
    pieces.push(value);
  }
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : concatBytes(pieces);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("CONTENT_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`);
}

/** Length of a JSON text up to which it is sent as a whole, in UTF-16 units. */
const MAX_WHOLE = 128 * 1024;

/**
 * Returns the body of a JSON response: a text, or a stream for a long one, which is serialized and compressed
 * while it is sent, in pieces between which the event loop serves other requests.
 */
export function toJsonBody(value: object): string | ReadableStream<Uint8Array<ArrayBuffer>> {
  return isJsonLongerThan(value, MAX_WHOLE) ? streamText(jsonPieces(value)) : toJsonText(value);
}
