import { strict as assert } from "node:assert";
import { type Device, newDevice, readTold } from "@/tests/api/chat/notifications_cast.ts";
import { type Keys, newKeys } from "@/tests/api/chat/bouncer_cast.ts";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { type PushProvider, startPushProvider } from "@/tests/helpers/push_provider.ts";
import { freePort, TestServer } from "@/tests/helpers/server.ts";
import { ask } from "./messages_traffic.ts";

/** A killed server's claims end within half a minute; then comes a retry. */
const TOLD_WITHIN_MS = 75_000;
const POLL_MS = 100;
const MESSAGES = 30;

/** A server that is killed and started again, on its port and its store. */
class Restartable implements AsyncDisposable {
  readonly #options = { port: freePort(), folder: Deno.makeTempDirSync() };
  #server: TestServer | null = null;

  constructor(readonly env: Readonly<Record<string, string>>) {}

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  get store(): string {
    return `${this.#options.folder}/sotto.kv`;
  }

  async start(): Promise<void> {
    this.#server = await TestServer.start({ ...this.#options, env: this.env });
  }

  async kill(): Promise<void> {
    await this.#server?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.#options.folder, { recursive: true });
  }
}

/** A chat server, the bouncer that it is admitted at, and the provider behind that. */
interface Chain extends AsyncDisposable {
  readonly provider: PushProvider;
  readonly keys: Keys;
  readonly bouncer: Restartable;
  readonly chat: Restartable;
  readonly owner: Person;
  readonly friend: Person;
}

interface Person {
  readonly id: number;
  /** The Authorization header. */
  readonly authorization: string;
}

async function startChain(): Promise<Chain> {
  const [provider, keys] = [startPushProvider(), await newKeys()];
  const bouncer = new Restartable({ PUSH_BOUNCER_KEYS: JSON.stringify([keys]), ...provider.env });
  const { org_id, org_key } = await admin(bouncer.store, "create-remote-server", "--name", "Neighbours");
  const env = { PUSH_BOUNCER_URL: bouncer.url, PUSH_ORG_ID: org_id, PUSH_ORG_KEY: org_key };
  const chat = new Restartable(env);
  const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
  const realm = await admin(chat.store, "create-realm", "--name", "Gardeners", ...owner);
  const friend = await admin(chat.store, "create-user", "--email", "friend@example.com", "--name", "Friend");
  await admin(bouncer.store, "create-remote-realm", "--org-id", org_id, "--realm-uuid", realm.realm_uuid);
  await Promise.all([bouncer.start(), chat.start()]);
  return {
    provider,
    keys,
    bouncer,
    chat,
    owner: toPerson(realm),
    friend: toPerson(friend),
    async [Symbol.asyncDispose]() {
      await Promise.all([bouncer[Symbol.asyncDispose](), chat[Symbol.asyncDispose]()]);
      await provider[Symbol.asyncDispose]();
    },
  };
}

function toPerson({ user_id, email, api_key }: { user_id: number; email: string; api_key: string }): Person {
  return { id: user_id, authorization: basic(email, api_key) };
}

async function call(
  { chat }: Chain,
  { authorization }: Person,
  path: string,
  params: Record<string, string> = {},
) {
  const body = new URLSearchParams(params);
  const reply = await ask(`${chat.url}/api/v1${path}`, { method: "POST", headers: { authorization }, body });
  return JSON.parse(reply?.text ?? "{}");
}

async function send(chain: Chain, content: string): Promise<number> {
  const to = JSON.stringify([chain.friend.id]);
  const answer = await call(chain, chain.owner, "/messages", { type: "direct", to, content });
  assert.equal(answer.result, "success", JSON.stringify(answer));
  return answer.id;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TOLD_WITHIN_MS; !await holds();) {
    assert.ok(Date.now() < end, `never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function tokenIdOf(chain: Chain, { id }: Pick<Device, "id">): Promise<string | null> {
  const { devices } = await call(chain, chain.friend, "/register", { fetch_event_types: '["device"]' });
  return devices[String(id)].push_token_id;
}

async function register(chain: Chain): Promise<Device> {
  const { device, params } = await newDevice({ kind: "fcm", keys: chain.keys, now: Date.now() });
  const { device_id: id } = await call(chain, chain.friend, "/register_client_device");
  const sent = { device_id: String(id), ...params, push_key_id: String(params.push_key_id) };
  const answer = await call(chain, chain.friend, "/mobile_push/register", sent);
  assert.equal(answer.result, "success", JSON.stringify(answer));
  await until("the registration", async () => await tokenIdOf(chain, { id }) === device.tokenId);
  return { id, ...device };
}

Deno.test("a message reaches a device through a bouncer and the provider; a device that is gone is not told again", async () => {
  await using chain = await startChain();
  const { provider } = chain;
  const device = await register(chain);
  const id = await send(chain, "Tea?");
  await until("the notification", () => Promise.resolve(provider.received.length > 0));
  const [told] = await readTold(provider, device);
  assert.deepEqual([told?.message_id, told?.content, told?.user_id], [id, "Tea?", chain.friend.id]);
  assert.equal((await call(chain, chain.friend, "/mobile_push/e2ee/test_notification")).result, "success");
  assert.equal((await readTold(provider, device))[1]?.type, "test");
  provider.behave(device.token, "gone");
  await send(chain, "Anyone?");
  await until("that the device is gone", async () => await tokenIdOf(chain, device) === null);
  const refusal = await call(chain, chain.friend, "/mobile_push/e2ee/test_notification");
  assert.equal(refusal.code, "NO_ACTIVE_PUSH_DEVICE");
  assert.deepEqual([provider.received.length, provider.impostors], [2, []]);
});

Deno.test("kill -9 between messages and their notifications: every one comes, and none twice while nobody took it", async () => {
  await using chain = await startChain();
  const { provider, chat, bouncer } = chain;
  const device = await register(chain);
  await bouncer.kill();
  const ids: number[] = [];
  for (let at = 0; at < MESSAGES; at++) ids.push(await send(chain, `message ${at}`));
  await chat.kill();
  assert.deepEqual(provider.received, []);
  await Promise.all([bouncer.start(), chat.start()]);
  const toldIds = async () => (await readTold(provider, device)).map(({ message_id }) => message_id);
  await until("all notifications", () => Promise.resolve(provider.received.length >= MESSAGES));
  assert.deepEqual((await toldIds()).sort((one, other) => one - other), ids);
  // Now while they are on their way.
  const later: number[] = [];
  for (let at = 0; at < MESSAGES; at++) later.push(await send(chain, `more ${at}`));
  await chat.kill();
  await chat.start();
  const wanted = new Set([...ids, ...later]);
  await until("the other notifications", async () => wanted.isSubsetOf(new Set(await toldIds())));
  // The call at hand when the server was killed may be made again, and holds each device once.
  assert.ok(provider.received.length <= wanted.size + 1, `${provider.received.length} of ${wanted.size}`);
});
