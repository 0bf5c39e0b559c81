import { basic, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

/** A PNG file of one pixel; further bytes after it do not matter. */
export const PNG = [
  ...Uint8Array.fromHex(
    "89504e470d0a1a0a0000000d494844520000000100000001080300000028cb34bb00000003504c5445ad301cbd9d9955" +
      "0000000a49444154789c636000000002000148afa4710000000049454e44ae426082",
  ),
];
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
