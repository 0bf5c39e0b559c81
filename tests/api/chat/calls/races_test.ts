import assert from "node:assert/strict";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { createCall, readProviderToken, saveProviderToken } from "@/lib/chat/devices/calls.ts";
import { type Caller, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { NamedQueues } from "@/lib/store/turns.ts";
import { providerEnv } from "@/tests/casts/calls_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { settled } from "@/tests/helpers/wait.ts";

const HOUR_MS = 3_600_000;

/** A provider on loopback that refreshes each token once and revokes the older ones. */
class RotatingProvider implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  newest = 1;
  readonly refreshes: { used: string; isTaken: boolean }[] = [];
  /** Awaited before the response to a call and to a refresh. */
  onCall: () => Promise<unknown> = () => Promise.resolve();
  onRefreshed: () => Promise<unknown> = () => Promise.resolve();

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      if (new URL(request.url).pathname === "/token") return await this.#refresh(await request.formData());
      const isKnown = request.headers.get("authorization") === `Bearer access-${this.newest}`;
      await this.onCall();
      return isKnown ? Response.json({ url: "https://calls.example/1" }) : Response.json({}, { status: 401 });
    });
  }

  async #refresh(form: FormData): Promise<Response> {
    const used = String(form.get("refresh_token"));
    const isTaken = used === `refresh-${this.newest}`;
    this.refreshes.push({ used, isTaken });
    if (!isTaken) return Response.json({ error: "invalid_grant" }, { status: 400 });
    this.newest++;
    const answer = this.tokenResponse();
    await this.onRefreshed();
    return Response.json(answer);
  }

  tokenResponse() {
    return {
      access_token: `access-${this.newest}`,
      refresh_token: `refresh-${this.newest}`,
      expires_in: 3600,
    };
  }

  get env(): Record<string, string> {
    return providerEnv(`http://127.0.0.1:${this.#server.addr.port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Returns a user whose token has expired. */
async function createCallerWithExpiredToken(chat: TestChat): Promise<Caller> {
  const { chat: app, store } = chat.services;
  const actingUser = await readRecord<UserRecord>(store.kv, userKeys.user(chat.realm.id, chat.member.id));
  assert.ok(actingUser !== null);
  const caller = { realm: chat.realm, actingUser };
  const token = { access_token: "access-1", refresh_token: "refresh-1" };
  await saveProviderToken(app, caller, { ...token, expires_at: chat.clock.now() });
  await chat.events();
  return caller;
}

/** Creates another server on the same store. */
function createServer({ services }: TestChat): ChatApp {
  return { ...services.chat, store: { ...services.store, queues: new NamedQueues() } };
}

/** Number of token reads up to the first check for a newer token after a rejection. */
const FIRST_READS = 3;

/** Creates another server that checks for a newer token a second time only after `stored` has settled. */
function createPollingServer(
  chat: TestChat,
  stored: Promise<unknown>,
): { app: ChatApp; looked: Promise<void> } {
  const app = createServer(chat);
  const looked = Promise.withResolvers<void>();
  let reads = 0;
  const read = async <T>(key: Key): Promise<T | null> => {
    if (key[1] === "call_token" && ++reads > FIRST_READS) {
      looked.resolve();
      await stored;
    }
    return await app.reads.read<T>(key);
  };
  return { app: { ...app, reads: { read } }, looked: looked.promise };
}

async function tokenEvents(chat: TestChat): Promise<unknown[]> {
  return (await chat.events()).map(({ event }) => event).filter(({ type }) =>
    type === "has_videoprovider_token"
  );
}

Deno.test("concurrent calls on one server refresh a token once", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  await createCallerWithExpiredToken(chat);
  for (let round = 1; round <= 3; round++) {
    const calls = Array.from(
      { length: 10 },
      () => chat.call(chat.member, "POST /calls/videoprovider/create"),
    );
    for (const { status, body } of await Promise.all(calls)) assert.equal(status, 200, JSON.stringify(body));
    assert.equal(provider.refreshes.length, round);
    chat.clock.time += HOUR_MS;
  }
  assert.deepEqual(await tokenEvents(chat), []);
});

Deno.test("servers that refresh one token concurrently all use the newer one", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  const caller = await createCallerWithExpiredToken(chat);
  const taken = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const others = [createPollingServer(chat, stored.promise), createPollingServer(chat, stored.promise)];
  // Holds back the new token until the other servers were rejected and have checked for it once.
  provider.onRefreshed = async () => {
    taken.resolve();
    await settled(
      "the other servers check for a newer token",
      Promise.all(others.map(({ looked }) => looked)),
    );
  };
  const first = createCall(chat.services.chat, caller);
  await settled("the first server refreshes the token", taken.promise);
  const later = others.map(({ app }) => createCall(app, caller));
  first.finally(stored.resolve).catch(() => {});
  const urls = await Promise.all([first, ...later]);
  assert.deepEqual(urls, Array.from({ length: 3 }, () => "https://calls.example/1"));
  assert.deepEqual(provider.refreshes.map(({ used, isTaken }) => [used, isTaken]), [
    ["refresh-1", true],
    ["refresh-1", false],
    ["refresh-1", false],
  ]);
  assert.equal((await readProviderToken(chat.services.chat, caller))?.token?.access_token, "access-2");
  assert.deepEqual(await tokenEvents(chat), []);
});

Deno.test("a new token is stored even if another server deleted the one it replaces", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  const caller = await createCallerWithExpiredToken(chat);
  const taken = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  provider.onRefreshed = () => {
    taken.resolve();
    return refused.promise;
  };
  const slow = createCall(chat.services.chat, caller);
  await settled("the first server refreshes the token", taken.promise);
  await assert.rejects(createCall(createServer(chat), caller), { code: "INVALID_VIDEO_CALL_PROVIDER_TOKEN" });
  refused.resolve();
  assert.equal(await slow, "https://calls.example/1");
  assert.equal((await readProviderToken(chat.services.chat, caller))?.token?.refresh_token, "refresh-2");
});

Deno.test("a call rejected because its token was replaced is retried with the newer one", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  const caller = await createCallerWithExpiredToken(chat);
  const { chat: app } = chat.services;
  const old = { access_token: "ended", refresh_token: null, expires_at: null };
  await saveProviderToken(app, caller, old);
  provider.onCall = async () => {
    provider.onCall = () => Promise.resolve();
    await saveProviderToken(app, caller, { ...old, access_token: "access-1" });
  };
  assert.equal(await createCall(app, caller), "https://calls.example/1");
  assert.deepEqual(await tokenEvents(chat), []);
  await saveProviderToken(app, caller, old);
  await assert.rejects(createCall(app, caller), { code: "INVALID_VIDEO_CALL_PROVIDER_TOKEN" });
  assert.equal(await readProviderToken(app, caller), null);
});
