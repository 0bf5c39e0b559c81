import type { BodySource } from "@/lib/core/body_arrival.ts";
import { Buffer } from "node:buffer";
import { AppError } from "@/lib/core/errors.ts";
import {
  contentTypeOf,
  FORM_BODY_BYTES,
  isForm,
  isMultipart,
  MAX_FIELDS,
  readBytes,
  readForm,
  tooManyFields,
} from "./body.ts";

/** Size limit of a file in a body, and the refusal of a larger one. */
export interface UploadLimit {
  readonly maxBytes: number;
  readonly tooLarge: string;
}

/** Fields and files of a request. */
interface SentRequest {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly Uint8Array[];
}

/**
 * Reads the fields of a request: those of the query, overridden by those of an urlencoded or multipart body.
 * Other bodies have none. The last value of a repeated name wins. Files of a multipart body are read where a
 * limit for them is given.
 * @throws AppError CONTENT_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for a form that
 * cannot be read.
 */
export async function readRequest(
  source: BodySource,
  query: URLSearchParams,
  upload?: UploadLimit,
): Promise<SentRequest> {
  const request = source.req;
  const fields = new Map(query);
  let files: readonly Uint8Array[] = [];
  const hasBody = request.body !== null && request.method !== "GET" && request.method !== "HEAD";
  if (hasBody && isForm(request)) {
    for (const [name, value] of await readForm(source)) fields.set(name, value);
  } else if (hasBody) {
    const body = await readMultipart(source, upload);
    for (const [name, value] of body.fields) fields.set(name, value);
    files = body.files;
  }
  if (fields.size > MAX_FIELDS) throw tooManyFields();
  return { fields, files };
}

async function readMultipart(source: BodySource, upload: UploadLimit | undefined): Promise<SentRequest> {
  const request = source.req;
  if (!isMultipart(request)) return { fields: new Map(), files: [] };
  const type = contentTypeOf(request);
  const bytes = await readWithin(source, upload);
  // Some clients send a form without fields as an empty body.
  if (bytes.length === 0) return { fields: new Map(), files: [] };
  requireFewParts(bytes, type);
  const form = await parseForm(bytes, type);
  const fields = new Map<string, string>();
  const files: Uint8Array[] = [];
  for (const [name, value] of form) {
    if (typeof value === "string") fields.set(name, value);
    else if (upload !== undefined) files.push(await value.bytes());
  }
  return { fields, files };
}

/** Counts the parts before they are parsed, because each costs time whatever it holds. */
function requireFewParts(bytes: Uint8Array, type: string): void {
  const boundary = /;\s*boundary="?([^";]+)/i.exec(type)?.[1];
  if (boundary === undefined) return;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = `--${boundary}`;
  let count = 0;
  // The last delimiter ends the form.
  for (let at = content.indexOf(delimiter); at !== -1; at = content.indexOf(delimiter, at + 2)) {
    if (++count > MAX_FIELDS + 1) throw tooManyFields();
  }
}

async function readWithin(source: BodySource, upload: UploadLimit | undefined): Promise<Uint8Array> {
  try {
    return await readBytes(source, { maxBytes: FORM_BODY_BYTES + (upload?.maxBytes ?? 0) });
  } catch (error) {
    const isTooLarge = error instanceof AppError && error.code === "CONTENT_TOO_LARGE";
    throw isTooLarge && upload !== undefined ? new AppError("BAD_REQUEST", upload.tooLarge) : error;
  }
}

async function parseForm(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw new AppError("BAD_REQUEST", "The form cannot be read.", { cause });
  }
}
