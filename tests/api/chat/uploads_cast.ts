import { basic, type Person, type TestChat } from "@/tests/helpers/chat.ts";

/** An answer to an upload. */
export interface Uploaded {
  readonly status: number;
  // deno-lint-ignore no-explicit-any
  readonly body: Record<string, any>;
}

/** A file as a test sends it. */
export interface SentFile {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
}

/** Uploads files as somebody, in one request. */
export async function upload(chat: TestChat, who: Person | null, ...files: SentFile[]): Promise<Uploaded> {
  const form = new FormData();
  files.forEach(({ name, content, type = "" }, at) =>
    form.append(`f${at}`, new Blob([content], { type }), name)
  );
  const headers: HeadersInit = who === null ? {} : { authorization: basic(who.email, who.apiKey) };
  const init = { method: "POST", body: form, headers };
  const response = await chat.request("/api/v1/user_uploads", init, hostOf(who));
  return { status: response.status, body: await response.json() };
}

/** Gets a path of the site as somebody. */
export function download(
  chat: TestChat,
  who: Person | null,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const credentials: Record<string, string> = who === null
    ? {}
    : { authorization: basic(who.email, who.apiKey) };
  return Promise.resolve(chat.request(path, { headers: { ...credentials, ...headers } }, hostOf(who)));
}

function hostOf(who: Person | null): string | undefined {
  return who?.realm.subdomain === "other" ? "other.localhost:8000" : undefined;
}
