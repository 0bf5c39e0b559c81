import { Buffer } from "node:buffer";

/** Returns the length of a value's JSON text in bytes of UTF-8. */
export function countJsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
