import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { openRemoteKv, TOKEN_VARIABLE } from "@/lib/store/connect/open_remote_kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { openStore, toStore } from "@/lib/store/open.ts";

/** A server that passes the metadata exchange and handles calls as a test says. */
class KvConnectServer implements AsyncDisposable {
  readonly calls: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(private readonly handle: () => Response | Promise<Response>, version = 3) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/") {
        const endpoints = [{ url: "/v2", consistency: "strong" }];
        const [databaseId, expiresAt] = [crypto.randomUUID(), "2100-01-01T00:00:00Z"];
        return Response.json({ version, databaseId, endpoints, token: "token", expiresAt });
      }
      this.calls.push(pathname);
      return this.handle();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Opens a store with an access token in the environment. */
async function openWithToken(address: string): Promise<Kv> {
  Deno.env.set(TOKEN_VARIABLE, "token-of-the-test");
  try {
    return await openRemoteKv(address);
  } finally {
    Deno.env.delete(TOKEN_VARIABLE);
  }
}

/** Returns the message with which a commit is refused. */
async function refusalOf(kv: Kv): Promise<string> {
  const store = toStore(kv, { location: "http://", path: null });
  const error = await durably(store, () => kv.atomic().set(["key"], 1).commit()).catch((thrown) => thrown);
  assert.ok(error instanceof AppError && error.code === "UNAVAILABLE", String(error));
  return error.message;
}

const loseAnswer = () =>
  new Response(new ReadableStream({ start: (body) => body.error("the answer is lost") }));

Deno.test("a call that fails is sent once, and its failure is reported", async () => {
  for (const handle of [loseAnswer, () => new Response("", { status: 500 })]) {
    await using server = new KvConnectServer(handle);
    using kv = await openWithToken(server.url);
    await assert.rejects(kv.get(["key"]));
    assert.deepEqual(server.calls, ["/v2/snapshot_read"]);
  }
});

Deno.test("a commit whose answer is lost is not reported as one that changed nothing", async () => {
  // The first call reads the commit gate.
  const gate = new Uint8Array([0x0a, 0x00, 0x20, 0x01, 0x40, 0x01]);
  const headers = { "content-type": "application/x-protobuf" };
  const answers = [() => new Response(gate, { headers }), loseAnswer];
  await using server = new KvConnectServer(() => (answers.shift() ?? loseAnswer)());
  using kv = await openWithToken(server.url);
  assert.equal(await refusalOf(kv), "The store did not answer. The change may have been made.");
  assert.deepEqual(server.calls, ["/v2/snapshot_read", "/v2/atomic_write"]);
});

Deno.test("a commit that does not reach the store is reported as one that changed nothing", async () => {
  const server = new KvConnectServer(loseAnswer);
  using kv = await openWithToken(server.url);
  await server[Symbol.asyncDispose]();
  assert.match(await refusalOf(kv), /Nothing was changed/);
});

Deno.test("calls of a store that hangs fail", async () => {
  const never = Promise.withResolvers<Response>();
  await using server = new KvConnectServer(() => never.promise);
  using kv = await openWithToken(server.url);
  await assert.rejects(kv.get(["key"]));
  never.resolve(new Response("", { status: 500 }));
});

Deno.test("a store at an address needs a token and a server that speaks the protocol", async () => {
  await using server = new KvConnectServer(loseAnswer, 7);
  await assert.rejects(openStore(server.url), /set DENO_KV_ACCESS_TOKEN to the server's access token/);
  await assert.rejects(openWithToken(server.url), /not a KV Connect server/);
});
