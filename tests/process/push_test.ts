import { strict as assert } from "node:assert";
import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import { sendKeys } from "@/lib/chat/devices/push_notifications/model.ts";
import { type Device, newDevice, readReceived } from "@/tests/casts/push_notifications_cast.ts";
import { type Keys, newKeys } from "@/tests/casts/bouncer_cast.ts";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { Gateway } from "@/tests/helpers/gateway.ts";
import { type PushProvider, startPushProvider } from "@/tests/helpers/push_provider.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { ask } from "./messages_traffic.ts";
import { countFailures, makeDue } from "./push_jobs.ts";

const MESSAGES = 30;

/** A server that can be killed and replaced by another process on the same store, with a stable address. */
class ReplacedServer implements AsyncDisposable {
  readonly #gateway = new Gateway();
  readonly #folder = Deno.makeTempDirSync();
  #server: TestServer | null = null;

  constructor(readonly env: Readonly<Record<string, string>>) {}

  /** Stable address. */
  get url(): string {
    return this.#gateway.url;
  }

  get store(): string {
    return `${this.#folder}/sotto.kv`;
  }

  /** The running process. */
  get current(): TestServer {
    return this.#server ?? assert.fail("The server was not started");
  }

  async start(): Promise<void> {
    this.#server = await TestServer.start({ folder: this.#folder, env: this.env, baseUrl: this.url });
    this.#gateway.forwardTo(this.#server.port);
  }

  async kill(): Promise<void> {
    this.#gateway.forwardTo(null);
    await this.#server?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#gateway[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** A chat server, its remote bouncer, and the provider that the bouncer uses. */
interface Chain extends AsyncDisposable {
  readonly provider: PushProvider;
  readonly keys: Keys;
  readonly bouncer: ReplacedServer;
  readonly chat: ReplacedServer;
  readonly owner: Person;
  readonly friend: Person;
}

interface Person {
  readonly id: number;
  /** Authorization header. */
  readonly authorization: string;
}

async function startChain(): Promise<Chain> {
  await using started = new AsyncDisposableStack();
  const [provider, keys] = [started.use(startPushProvider()), await newKeys()];
  const bouncerEnv = { PUSH_BOUNCER_KEYS: JSON.stringify([keys]), ...provider.env };
  const bouncer = started.use(new ReplacedServer(bouncerEnv));
  const { org_id, org_key } = await callCommand(bouncer.store, "create-remote-server", "--name", "Neighbors");
  const chatEnv = { PUSH_BOUNCER_URL: bouncer.url, PUSH_ORG_ID: org_id, PUSH_ORG_KEY: org_key };
  const chat = started.use(new ReplacedServer(chatEnv));
  const realm = await createGardeners(chat.store);
  const [friend] = await Promise.all([
    callCommand(chat.store, "create-user", "--email", "friend@example.com", "--name", "Friend"),
    callCommand(bouncer.store, "create-remote-realm", "--org-id", org_id, "--realm-uuid", realm.realm_uuid),
  ]);
  await Promise.all([bouncer.start(), chat.start()]);
  const parts = started.move();
  return {
    ...{ provider, keys, bouncer, chat, owner: toPerson(realm), friend: toPerson(friend) },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
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
  const reply = await ask(`${chat.current.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization },
    body,
  });
  return JSON.parse(reply?.text ?? "{}");
}

async function send(chain: Chain, content: string): Promise<number> {
  const to = JSON.stringify([chain.friend.id]);
  const answer = await call(chain, chain.owner, "/messages", { type: "direct", to, content });
  assert.equal(answer.result, "success", JSON.stringify(answer));
  return answer.id;
}

async function tokenIdOf(chain: Chain, { id }: Pick<Device, "id">): Promise<string | null> {
  const { devices } = await call(chain, chain.friend, "/register", { fetch_event_types: '["device"]' });
  return devices[String(id)].push_token_id;
}

async function register(chain: Chain): Promise<Device> {
  const { current } = chain.chat;
  const health = await current.fetch("/health");
  await health.body?.cancel();
  const now = Date.parse(health.headers.get("date") ?? "");
  const { device, params } = await newDevice({ kind: "fcm", keys: chain.keys, now });
  const { device_id: id } = await call(chain, chain.friend, "/register_client_device");
  const sent = { device_id: String(id), ...params, push_key_id: String(params.push_key_id) };
  const answer = await call(chain, chain.friend, "/mobile_push/register", sent);
  assert.equal(answer.result, "success", JSON.stringify(answer));
  const read = () => tokenIdOf(chain, { id });
  await current.waitFor("the device is registered", read, (tokenId) => tokenId === device.tokenId);
  return { id, ...device };
}

Deno.test("a message reaches a device through a bouncer and the provider, until the device is gone", async () => {
  await using chain = await startChain();
  const { provider } = chain;
  const device = await register(chain);
  const id = await send(chain, "Tea?");
  await chain.chat.current.waitFor("the notification arrives", () => provider.received.length > 0);
  const [first] = await readReceived(provider, device);
  assert.deepEqual([first?.message_id, first?.content, first?.user_id], [id, "Tea?", chain.friend.id]);
  const askForTest = () => call(chain, chain.friend, "/mobile_push/e2ee/test_notification");
  let asked = 0;
  await chain.chat.current.waitFor("a test notification is sent", () => {
    asked++;
    return askForTest();
  }, ({ result }) => result === "success");
  assert.ok((await readReceived(provider, device)).some(({ type }) => type === "test"));
  provider.behave(device.token, "gone");
  await send(chain, "Anyone?");
  const readTokenId = () => tokenIdOf(chain, device);
  await chain.chat.current.waitFor("the token is removed", readTokenId, (tokenId) => tokenId === null);
  assert.equal((await askForTest()).code, "NO_ACTIVE_PUSH_DEVICE");
  const contents = new Set(
    (await readReceived(provider, device)).map(({ type, content }) => content ?? type),
  );
  assert.deepEqual([contents, provider.impostors], [new Set(["Tea?", "test"]), []]);
  const mostReceived = 1 + asked + countFailures(chain.chat.current);
  assert.ok(provider.received.length <= mostReceived, `${provider.received.length} of ${mostReceived}`);
});

Deno.test("after kill -9, every notification arrives, and none twice unless it was being sent", async () => {
  await using chain = await startChain();
  const { provider, chat, bouncer } = chain;
  const device = await register(chain);
  await bouncer.kill();
  const ids: number[] = [];
  for (let at = 0; at < MESSAGES; at++) ids.push(await send(chain, `message ${at}`));
  await chat.kill();
  assert.deepEqual(provider.received, []);
  await makeAllDue(chat);
  await bouncer.start();
  await chat.start();
  const receivedIds = async () => (await readReceived(provider, device)).map(({ message_id }) => message_id);
  const untilAllReceived = (wanted: readonly number[]) => {
    const readMissing = async () => [...new Set(wanted).difference(new Set(await receivedIds()))];
    return chat.current.waitFor("all notifications arrive", readMissing, ({ length }) => length === 0);
  };
  await untilAllReceived(ids);
  const most = ids.length + countFailures(chat.current);
  assert.ok(provider.received.length <= most, `${provider.received.length} of ${most}`);
  // Kills the servers while some notifications are being sent.
  const later: number[] = [];
  for (let at = 0; at < MESSAGES; at++) later.push(await send(chain, `more ${at}`));
  await chat.kill();
  const failures = countFailures(chat.current);
  await makeAllDue(chat);
  await chat.start();
  const wanted = [...ids, ...later];
  await untilAllReceived(wanted);
  assert.deepEqual(new Set(await receivedIds()), new Set(wanted));
  // The call in progress when the server was killed may be repeated. It contains each device once.
  const mostLater = wanted.length + 1 + failures + countFailures(chat.current);
  assert.ok(provider.received.length <= mostLater, `${provider.received.length} of ${mostLater}`);
});

/** Ends the leases of a killed server and the delays after its failures. */
async function makeAllDue({ store }: ReplacedServer): Promise<void> {
  for (const queue of [pushJobKeys.messages, sendKeys.sends]) await makeDue(store, queue);
}
