import { AppError } from "@/lib/core/errors.ts";
import { FORM_BODY_BYTES, isForm, readBytes, readForm } from "./body.ts";

/** Fields of a request at most: no form is longer, and names beyond would only cost time. */
const MAX_FIELDS = 1000;

/**
 * The fields of a request: those of the query, and over them those of an urlencoded or multipart body. Other bodies,
 * and files in a multipart one, hold none. A name that comes twice has its last value.
 * @throws AppError CONTENT_TOO_LARGE, REQUEST_TIMEOUT, or BAD_REQUEST for a form that cannot be read or has
 * too many fields.
 */
export async function readFields(request: Request, query: URLSearchParams): Promise<Map<string, string>> {
  const fields = new Map(query);
  const hasBody = request.body !== null && request.method !== "GET" && request.method !== "HEAD";
  if (hasBody) {
    const body = isForm(request) ? await readForm(request) : await readMultipart(request);
    for (const [name, value] of body) fields.set(name, value);
  }
  if (fields.size > MAX_FIELDS) {
    throw new AppError("BAD_REQUEST", `A request has ${MAX_FIELDS} fields at most.`);
  }
  return fields;
}

async function readMultipart(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  const fields = new Map<string, string>();
  if (!/^multipart\/form-data\s*;/i.test(type)) return fields;
  const bytes = await readBytes(request, { maxBytes: FORM_BODY_BYTES });
  // A body of no bytes is how some clients send a form without fields.
  if (bytes.length === 0) return fields;
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
    for (const [name, value] of form) if (typeof value === "string") fields.set(name, value);
    return fields;
  } catch (cause) {
    throw new AppError("BAD_REQUEST", "The form cannot be read.", { cause });
  }
}
