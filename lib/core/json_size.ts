import { Buffer } from "node:buffer";

/** Returns the length of a text in bytes of UTF-8. */
export function countTextBytes(text: string): number {
  return Buffer.byteLength(text);
}
