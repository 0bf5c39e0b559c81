import { toEtag } from "@/lib/core/bytes.ts";

/** Codings of a response body, smallest first. */
export const CODINGS = ["br", "gzip", "identity"] as const;
/** Name of a coding. */
export type Coding = typeof CODINGS[number];

/** A response body in one coding. */
export interface EncodedForm {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Returns encoded content with its ETag. */
export async function toEncodedForm(content: Uint8Array): Promise<EncodedForm> {
  const bytes = new Uint8Array(content);
  return { bytes, etag: await toEtag(bytes) };
}
