import assert from "node:assert/strict";
import { systemClock } from "@/lib/core/clock.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { emailOf } from "@/tests/tools/demo/content/people.ts";
import { createDemo } from "@/tests/tools/demo/create_demo.ts";
import { DEFAULT_VOLUMES } from "@/tests/tools/demo/options.ts";
import { LINK_ENV } from "./shared_links.ts";

const PASSWORD = "violet kettle seldom 42";
/** Address of every server on the store, because answers contain it. */
const BASE_URL = "http://sotto.example";
const VOLUMES = { ...DEFAULT_VOLUMES, messages: 20, links: 10, visits: 100, avatars: 1 };
/** Size of an uploaded file, which takes several commits. */
const FILE_BYTES = 2_000_000;

/** Requests of the chat API whose answers depend on the store alone. */
const READS = [
  ...["users", "users/me", "streams", "users/me/subscriptions", "user_groups", "default_streams", "invites"],
  ...["attachments", "drafts", "saved_snippets", "scheduled_messages", "reminders", "channel_folders"],
  ...["realm/linkifiers", "realm/emoji", "realm/profile_fields", "realm/domains", "export/realm"],
  "messages?anchor=newest&num_before=1000&num_after=0&apply_markdown=true",
  "messages?anchor=oldest&num_before=0&num_after=50&apply_markdown=false",
];
/** Fields of a registration that differ each time. */
const VOLATILE = ["queue_id", "last_event_id", "server_timestamp", "server_generation", "presences", "msg"];

/** Fills a new store with the demo organization and a large file, and returns the answers of a server on it. */
export async function createMovedStore(path: string): Promise<Answers> {
  await createDemo({
    store: await openSottoStore(path),
    volumes: VOLUMES,
    isLarge: false,
    password: PASSWORD,
    now: systemClock.now(),
    env: { BASE_URL },
    output: { isTerminal: () => false, writeSync: (bytes) => bytes.length },
  });
  return await withServer(path, async (server) => {
    await uploadFile(server);
    return await askAll(server);
  });
}

async function uploadFile(server: TestServer): Promise<void> {
  const body = new FormData();
  body.set("file", new File([createContent()], "seeds.bin"));
  const headers = { authorization: await signIn(server, "maren") };
  const response = await server.fetch("/api/v1/user_uploads", { method: "POST", headers, body });
  assert.equal(response.status, 200, await response.text());
}

/** Returns bytes of which no two chunks are equal. */
function createContent(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: FILE_BYTES }, (_, at) => at * 31 + (at >> 12));
}

/** Statuses and contents of answers to the owner and a guest, by request. */
export type Answers = Readonly<Record<string, unknown>>;

/** Reads the answers of a new server on the store. */
export function readAnswers(location: string): Promise<Answers> {
  return withServer(location, askAll);
}

/** Runs a server on the store for some requests. */
async function withServer<T>(location: string, use: (server: TestServer) => Promise<T>): Promise<T> {
  await using server = await TestServer.start({ baseUrl: BASE_URL, env: { ...LINK_ENV, KV_URL: location } });
  const result = await use(server);
  assert.equal(await server.stop(), 0);
  return result;
}

async function askAll(server: TestServer): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  for (const person of ["maren", "dara"]) {
    const authorization = await signIn(server, person);
    for (const path of READS) {
      const response = await server.fetch(`/api/v1/${path}`, { headers: { authorization } });
      answers[`${person} ${path}`] = [response.status, await response.text()];
    }
    answers[`${person} register`] = await readState(server, authorization);
    answers[`${person} file`] = await readFile(server, authorization);
  }
  for (const path of ["/stats", "/links?limit=100"]) {
    const headers = { authorization: `Bearer ${LINK_ENV.SHORTEN_API_KEY}` };
    const response = await server.fetch(path, { headers });
    answers[path] = [response.status, await response.text()];
  }
  return answers;
}

async function signIn(server: TestServer, person: string): Promise<string> {
  const body = new URLSearchParams({ username: emailOf(person), password: PASSWORD });
  const response = await server.fetch("/api/v1/fetch_api_key", { method: "POST", body });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return basic(answer.email, answer.api_key);
}

async function readState(server: TestServer, authorization: string): Promise<object> {
  const response = await server.fetch("/api/v1/register", { method: "POST", headers: { authorization } });
  const state: Record<string, unknown> = await response.json();
  assert.equal(response.status, 200);
  return Object.fromEntries(Object.entries(state).filter(([name]) => !VOLATILE.includes(name)));
}

/** Returns the status and the digest of the account's newest file. */
async function readFile(server: TestServer, authorization: string): Promise<readonly unknown[]> {
  const headers = { authorization };
  const { attachments } = await (await server.fetch("/api/v1/attachments", { headers })).json();
  const path = attachments[0]?.path_id;
  if (path === undefined) return [];
  const response = await server.fetch(`/user_uploads/${path}`, { headers });
  const digest = await crypto.subtle.digest("SHA-256", await response.bytes());
  return [response.status, new Uint8Array(digest).toHex()];
}
