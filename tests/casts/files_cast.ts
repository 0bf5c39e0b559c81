import { basic, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

/** Response to an upload. */
export interface UploadResponse {
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

/** Uploads files in one request; without credentials if `person` is null. */
export async function upload(
  chat: TestChat,
  person: TestUser | null,
  ...files: SentFile[]
): Promise<UploadResponse> {
  const form = new FormData();
  files.forEach(({ name, content, type = "" }, at) =>
    form.append(`f${at}`, new Blob([content], { type }), name)
  );
  const headers: HeadersInit = person === null ? {} : { authorization: basic(person.email, person.apiKey) };
  const init = { method: "POST", body: form, headers };
  const response = await chat.request("/api/v1/user_uploads", init, getHost(person));
  return { status: response.status, body: await response.json() };
}

/** Requests a path of the site; without credentials if `person` is null. */
export function download(
  chat: TestChat,
  person: TestUser | null,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const credentials: Record<string, string> = person === null
    ? {}
    : { authorization: basic(person.email, person.apiKey) };
  return Promise.resolve(chat.request(path, { headers: { ...credentials, ...headers } }, getHost(person)));
}

function getHost(person: TestUser | null): string | undefined {
  return person?.realm.subdomain === "other" ? "other.localhost:8000" : undefined;
}
