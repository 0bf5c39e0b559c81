import { parseJson } from "./parse_json.ts";
import { z } from "zod";

/** Response of another server. */
export interface JsonResponse {
  readonly status: number;
  /** Undefined for a body that is not JSON or is too long. */
  readonly body: unknown;
}

const TIMEOUT_MS = 5000;
const MAX_BYTES = 256 * 1024;

/**
 * Sends a request to another server and reads its response as JSON, within `timeoutMs` (5 seconds) and 256
 * KiB; follows no redirects.
 * @throws Error when the server cannot be reached or is too slow.
 */
export async function fetchJson(
  url: string,
  init: RequestInit,
  timeoutMs: number = TIMEOUT_MS,
): Promise<JsonResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) break;
    pieces.push(new Uint8Array(piece));
  }
  const text = size > MAX_BYTES ? "" : await new Blob(pieces).text();
  return { status: response.status, body: parseJson(text) };
}

/** An address that secrets may be sent to: over TLS, or within this machine. */
export const safeAddress = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
});
