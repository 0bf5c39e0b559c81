import { basic, type Person, type TestChat } from "@/tests/helpers/chat.ts";

/** The bytes that a PNG begins with. */
export const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes. */
export const MIB = 1024 * 1024;

/** A file that begins with some bytes, and is as large as asked. */
export function file(begin: readonly number[], size = 200): Blob {
  const bytes = new Uint8Array(size);
  bytes.set(begin);
  return new Blob([bytes], { type: "text/html" });
}

/** Sends files to a path of the API as somebody. */
export async function postFiles(chat: TestChat, who: Person | null, path: string, files: readonly Blob[]) {
  const body = new FormData();
  for (const [at, one] of files.entries()) body.append(`file${at}`, one, "picture.html");
  const headers = who === null ? {} : { authorization: basic(who.email, who.apiKey) };
  const response = await chat.request(`/api/v1${path}`, { method: "POST", body, headers });
  return { status: response.status, body: await response.json() };
}
