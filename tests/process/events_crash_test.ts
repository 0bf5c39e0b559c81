import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import { freePort, PROJECT, taskFlags, TestServer } from "@/tests/helpers/server.ts";
import { ask, MessageLedger, type Sender, sendUntilLost } from "./messages_traffic.ts";
import { readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = 4;
const CONNECTIONS = 4;

async function admin(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...taskFlags("admin", "lib/cli/main.ts"),
      "--config",
      `${PROJECT}deno.json`,
      `${PROJECT}lib/cli/main.ts`,
      ...args,
    ],
    env: { KV_URL: `${folder}/sotto.kv` },
  }).output();
  const text = new TextDecoder().decode(stdout).trim();
  assert.equal(code, 0, text + new TextDecoder().decode(stderr));
  return JSON.parse(text);
}

interface HeardEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number };
}

/** A client that goes on where it was, whatever becomes of the server in between. */
class Listener {
  readonly events: HeardEvent[] = [];
  #queueId = "";
  #last = -1;

  constructor(readonly url: string, readonly sender: Sender) {}

  async register(): Promise<void> {
    const reply = await this.#ask("/register", {
      method: "POST",
      body: new URLSearchParams({ event_types: '["message"]', fetch_event_types: "[]" }),
    });
    assert.equal(reply?.status, 200, reply?.text ?? "");
    ({ queue_id: this.#queueId, last_event_id: this.#last } = JSON.parse(reply?.text ?? ""));
  }

  /** One request; false when the connection was lost. */
  async hear(dont_block: boolean): Promise<boolean> {
    const query = new URLSearchParams({
      ...{ queue_id: this.#queueId, last_event_id: String(this.#last), dont_block: String(dont_block) },
    });
    const reply = await this.#ask(`/events?${query}`);
    if (reply === null || reply.status === 503) return false;
    assert.equal(reply.status, 200, reply.text);
    const { events }: { events: HeardEvent[] } = JSON.parse(reply.text);
    for (const event of events) {
      assert.ok(event.id > this.#last, `${event.id} came after ${this.#last}`);
      this.#last = event.id;
      this.events.push(event);
    }
    return true;
  }

  #ask(path: string, init: RequestInit = {}) {
    const headers = { authorization: this.sender.authorization };
    return ask(`${this.url}/api/v1${path}`, { ...init, headers });
  }
}

async function listenUntilLost(listener: Listener): Promise<void> {
  while (await listener.hear(false));
}

/** Everything that a listener may see, by GET /messages. */
async function listIds(url: string, { authorization }: Sender, from: number): Promise<number[]> {
  const query = { anchor: String(from), num_before: "0", num_after: "5000", include_anchor: "false" };
  const reply = await ask(`${url}/api/v1/messages?${new URLSearchParams(query)}`, {
    headers: { authorization },
  });
  assert.equal(reply?.status, 200, reply?.text ?? "");
  const { messages, found_newest } = JSON.parse(reply?.text ?? "");
  assert.ok(found_newest);
  return messages.map(({ id }: { id: number }) => id);
}

Deno.test("kill -9 while clients listen, 4 times: each that goes on from its last id hears every message once, in order", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  const port = freePort();
  try {
    const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
    const made = [await admin(folder, "create-realm", "--name", "Gardeners", ...owner)];
    for (const name of ["one", "two"]) {
      made.push(await admin(folder, "create-user", "--email", `${name}@example.com`, "--name", name));
    }
    const people = made.map(({ user_id, email, api_key }) => ({
      id: user_id,
      authorization: basic(email, api_key),
    }));
    const ledger = new MessageLedger();
    const listeners: Listener[] = [];
    let [channelId, first] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder, port });
      const { url } = server;
      if (round === 0) {
        const reply = await ask(`${url}/api/v1/channels/create`, {
          method: "POST",
          headers: { authorization: people[0]?.authorization ?? "" },
          body: new URLSearchParams({
            name: "Garden",
            subscribers: JSON.stringify(people.map(({ id }) => id)),
          }),
        });
        channelId = JSON.parse(reply?.text ?? "").id;
        first = (await Promise.all(people.map((one) => listIds(url, one, 0)))).flat()
          .reduce((last, id) => Math.max(last, id), 0);
        listeners.push(...people.map((person) => new Listener(url, person)));
        await Promise.all(listeners.map((listener) => listener.register()));
      }
      const listening = listeners.map(listenUntilLost);
      const sending = Array.from({ length: CONNECTIONS }, (_, at) => {
        const sender = people[at % people.length] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: people, channelId, random });
      });
      await new Promise((resolve) => setTimeout(resolve, 400 + random() * 600));
      await server.kill();
      await Promise.all([...listening, ...sending]);
      assert.deepEqual(ledger.surprises, []);
    }
    await using server = await TestServer.start({ folder, port });
    for (const listener of listeners) {
      for (let before = -1; listener.events.length > before;) {
        before = listener.events.length;
        assert.ok(await listener.hear(true));
      }
      const heard = listener.events.flatMap(({ message }) => message === undefined ? [] : [message.id]);
      assert.deepEqual(heard, await listIds(server.url, listener.sender, first));
      assert.ok(heard.length > ROUNDS * CONNECTIONS, `${heard.length} were heard`);
    }
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a server that stops answers those who wait at once", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
    const { user_id, email, api_key } = await admin(folder, "create-realm", "--name", "Gardeners", ...owner);
    await using server = await TestServer.start({ folder });
    const listener = new Listener(server.url, { id: user_id, authorization: basic(email, api_key) });
    await listener.register();
    const hearing = listener.hear(false);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const started = performance.now();
    assert.equal(await server.stop(), 0);
    assert.equal(await hearing, true);
    assert.ok(performance.now() - started < 5000, "it did not wait for the heartbeat");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
