import assert from "node:assert/strict";
import type { ChatApp } from "@/lib/chat/app.ts";
import { createCall } from "@/lib/chat/calls/create_call.ts";
import { putToken, readToken } from "@/lib/chat/calls/provider_token.ts";
import type { Caller } from "@/lib/chat/users/caller.ts";
import { userKeys, type UserRecord } from "@/lib/chat/users/user.ts";
import { type Key, readRecord } from "@/lib/kv/key.ts";
import { createNamedQueues } from "@/lib/kv/queue.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { settled } from "@/tests/helpers/wait.ts";
import { providerEnv } from "./calls_cast.ts";

const HOUR_MS = 3_600_000;

/** A provider on loopback that renews each token once and ends the older ones. */
class RotatingProvider implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  newest = 1;
  readonly renewals: { used: string; isTaken: boolean }[] = [];
  /** What a call and an answer with a new token wait for. */
  onCall: () => Promise<unknown> = () => Promise.resolve();
  onRenewed: () => Promise<unknown> = () => Promise.resolve();

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      if (new URL(request.url).pathname === "/token") return await this.#renew(await request.formData());
      const isKnown = request.headers.get("authorization") === `Bearer access-${this.newest}`;
      await this.onCall();
      return isKnown ? Response.json({ url: "https://calls.example/1" }) : Response.json({}, { status: 401 });
    });
  }

  async #renew(form: FormData): Promise<Response> {
    const used = String(form.get("refresh_token"));
    const isTaken = used === `refresh-${this.newest}`;
    this.renewals.push({ used, isTaken });
    if (!isTaken) return Response.json({ error: "invalid_grant" }, { status: 400 });
    this.newest++;
    const answer = this.given();
    await this.onRenewed();
    return Response.json(answer);
  }

  given() {
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

/** Somebody who has consented, in a time when his token has ended. */
async function startEnded(chat: TestChat): Promise<Caller> {
  const { chat: app, store } = chat.services;
  const actingUser = await readRecord<UserRecord>(store.kv, userKeys.user(chat.realm.id, chat.member.id));
  assert.ok(actingUser !== null);
  const caller = { realm: chat.realm, actingUser };
  const token = { access_token: "access-1", refresh_token: "refresh-1" };
  await putToken(app, caller, { ...token, expires_at: chat.clock.now() });
  await chat.events();
  return caller;
}

/** Another server on the same store. */
function another({ services }: TestChat): ChatApp {
  return { ...services.chat, store: { ...services.store, queues: createNamedQueues() } };
}

/** Reads of a token that a server makes up to its first look for a newer one, after a refusal. */
const FIRST_READS = 3;

/** Another server on the same store, which looks for a newer token a second time once `stored` settled. */
function anotherThatLooks(chat: TestChat, stored: Promise<unknown>): { app: ChatApp; looked: Promise<void> } {
  const app = another(chat);
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

Deno.test("many calls at once renew a token once, in one server", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  await startEnded(chat);
  for (let round = 1; round <= 3; round++) {
    const calls = Array.from(
      { length: 10 },
      () => chat.call(chat.member, "POST /calls/videoprovider/create"),
    );
    for (const { status, body } of await Promise.all(calls)) assert.equal(status, 200, JSON.stringify(body));
    assert.equal(provider.renewals.length, round);
    chat.clock.time += HOUR_MS;
  }
  assert.deepEqual(await tokenEvents(chat), []);
});

Deno.test("servers that renew one token at the same time all go on with the newer one", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  const caller = await startEnded(chat);
  const taken = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const others = [anotherThatLooks(chat, stored.promise), anotherThatLooks(chat, stored.promise)];
  // The new token is on its way until the others were refused and have looked for it once.
  provider.onRenewed = async () => {
    taken.resolve();
    await settled(
      "the other servers look for a newer token",
      Promise.all(others.map(({ looked }) => looked)),
    );
  };
  const first = createCall(chat.services.chat, caller);
  await settled("the first server renews the token", taken.promise);
  const later = others.map(({ app }) => createCall(app, caller));
  first.finally(stored.resolve).catch(() => {});
  const urls = await Promise.all([first, ...later]);
  assert.deepEqual(urls, Array.from({ length: 3 }, () => "https://calls.example/1"));
  assert.deepEqual(provider.renewals.map(({ used, isTaken }) => [used, isTaken]), [
    ["refresh-1", true],
    ["refresh-1", false],
    ["refresh-1", false],
  ]);
  assert.equal((await readToken(chat.services.chat, caller))?.token?.access_token, "access-2");
  assert.deepEqual(await tokenEvents(chat), []);
});

Deno.test("a new token is kept even where another server has forgotten the one that it was given for", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  const caller = await startEnded(chat);
  const taken = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  provider.onRenewed = () => {
    taken.resolve();
    return refused.promise;
  };
  const slow = createCall(chat.services.chat, caller);
  await settled("the first server renews the token", taken.promise);
  await assert.rejects(createCall(another(chat), caller), { code: "INVALID_VIDEO_CALL_PROVIDER_TOKEN" });
  refused.resolve();
  assert.equal(await slow, "https://calls.example/1");
  assert.equal((await readToken(chat.services.chat, caller))?.token?.refresh_token, "refresh-2");
});

Deno.test("a call that is refused because its token was replaced meanwhile is made with the newer one", async () => {
  await using provider = new RotatingProvider();
  await using chat = await startChat({ env: provider.env });
  const caller = await startEnded(chat);
  const { chat: app } = chat.services;
  const old = { access_token: "ended", refresh_token: null, expires_at: null };
  await putToken(app, caller, old);
  provider.onCall = async () => {
    provider.onCall = () => Promise.resolve();
    await putToken(app, caller, { ...old, access_token: "access-1" });
  };
  assert.equal(await createCall(app, caller), "https://calls.example/1");
  assert.deepEqual(await tokenEvents(chat), []);
  await putToken(app, caller, old);
  await assert.rejects(createCall(app, caller), { code: "INVALID_VIDEO_CALL_PROVIDER_TOKEN" });
  assert.equal(await readToken(app, caller), null);
});
