import { basic, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

/** Signature at the start of a PNG file. */
export const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes per MiB. */
export const MIB = 1024 * 1024;

/** Returns a file of `size` bytes that starts with these bytes. */
export function file(begin: readonly number[], size = 200): Blob {
  const bytes = new Uint8Array(size);
  bytes.set(begin);
  return new Blob([bytes], { type: "text/html" });
}

/** Posts files to a path of the API; a null user sends no credentials. */
export async function postFiles(chat: TestChat, user: TestUser | null, path: string, files: readonly Blob[]) {
  const body = new FormData();
  for (const [at, one] of files.entries()) body.append(`file${at}`, one, "picture.html");
  const headers = user === null ? {} : { authorization: basic(user.email, user.apiKey) };
  const response = await chat.request(`/api/v1${path}`, { method: "POST", body, headers });
  return { status: response.status, body: await response.json() };
}
