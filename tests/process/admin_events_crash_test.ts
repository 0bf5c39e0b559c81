// GET /admin/events of a server that is killed and started again, or stops
import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import { admin } from "@/tests/helpers/command_line.ts";
import { StreamReader } from "@/tests/helpers/event_stream.ts";
import { freePort, TestServer } from "@/tests/helpers/server.ts";
import { ask } from "./messages_traffic.ts";
import { readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = 4;
const WRITERS = 4;
const EMAIL = "owner@example.com";
const PASSWORD = "violet kettle seldom 42";

/** An administrator's browser, which goes on where it was, and what it was told. */
class Browser {
  readonly names: string[] = [];
  #last: string | null = null;

  constructor(readonly url: string, readonly cookie: string) {}

  /** Signs in at a server. */
  static async signIn(url: string, username = EMAIL): Promise<Browser> {
    const response = await fetch(`${url}/login`, {
      method: "POST",
      headers: { origin: url },
      body: new URLSearchParams({ username, password: PASSWORD }),
      redirect: "manual",
    });
    await response.body?.cancel();
    assert.equal(response.status, 303);
    return new Browser(url, response.headers.getSetCookie()[0]?.split(";")[0] ?? "");
  }

  async open(): Promise<StreamReader> {
    const headers = { cookie: this.cookie, ...(this.#last === null ? {} : { "last-event-id": this.#last }) };
    const stream = new StreamReader(
      await fetch(`${this.url}/admin/events?types=["channel_folder"]`, { headers }),
    );
    if (this.#last === null) await stream.any();
    this.#last ??= stream.last;
    return stream;
  }

  /** Listens until the line breaks, or so many were heard in all. */
  async listen(stream: StreamReader, until = Infinity): Promise<void> {
    while (this.names.length < until) {
      const event = await stream.next();
      if (event === null) return;
      assert.equal(event.type, "message", `${event.type} after ${this.#last}`);
      assert.ok(Number(event.id) > Number(this.#last), `${event.id} came after ${this.#last}`);
      this.#last = event.id;
      this.names.push(event.data.channel_folder.name);
    }
    await stream.leave();
  }
}

async function makeFolder(url: string, authorization: string, name: string): Promise<boolean> {
  const body = new URLSearchParams({ name, description: "" });
  const reply = await ask(`${url}/api/v1/channel_folders/create`, {
    method: "POST",
    headers: { authorization },
    body,
  });
  if (reply !== null) assert.equal(reply.status, 200, reply.text);
  return reply !== null;
}

async function makeOwner(folder: string): Promise<string> {
  const person = ["--owner-email", EMAIL, "--owner-name", "Owner", "--owner-password", PASSWORD];
  const { email, api_key } = await admin(
    `${folder}/sotto.kv`,
    "create-realm",
    "--name",
    "Gardeners",
    ...person,
  );
  return basic(email, api_key);
}

Deno.test("kill -9 while an administrator listens, 4 times: with the last id everything comes once, in order", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  const port = freePort();
  try {
    const authorization = await makeOwner(folder);
    let browser: Browser | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder, port });
      const { url } = server;
      if (round === 0) await makeFolder(url, authorization, "first");
      browser ??= await Browser.signIn(url);
      const listening = browser.listen(await browser.open());
      const writing = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let at = 0; await makeFolder(url, authorization, `${round} ${writer} ${at}`); at++);
      });
      await new Promise((resolve) => setTimeout(resolve, 300 + random() * 500));
      await server.kill();
      await Promise.all([listening, ...writing]);
    }
    assert.ok(browser !== null);
    await using server = await TestServer.start({ folder, port });
    const reply = await ask(`${server.url}/api/v1/channel_folders`, { headers: { authorization } });
    const { channel_folders } = JSON.parse(reply?.text ?? "");
    const names: string[] = channel_folders.map(({ name }: { name: string }) => name).slice(1);
    await browser.listen(await browser.open(), names.length);
    assert.deepEqual(browser.names, names);
    assert.ok(names.length > ROUNDS * WRITERS, `${names.length} were heard`);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a server that stops ends its streams at once, and is not kept by browsers that do not read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await makeOwner(folder);
    await using server = await TestServer.start({ folder });
    const browser = await Browser.signIn(server.url);
    const streams = await Promise.all(Array.from({ length: 20 }, () => browser.open()));
    const started = performance.now();
    const stopped = server.stop();
    for (const stream of streams.slice(10)) await browser.listen(stream);
    assert.equal(await stopped, 0);
    assert.ok(performance.now() - started < 5000);
    for (const stream of streams.slice(0, 10)) await stream.leave();
    assert.equal(server.errors, "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a stream ends soon after another process took the account's role, and tells nothing of then", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const authorization = await makeOwner(folder);
    const store = `${folder}/sotto.kv`;
    const email = "second@example.com";
    const person = ["--email", email, "--name", "Second", "--role", "200", "--password", PASSWORD];
    await admin(store, "create-user", ...person);
    await using server = await TestServer.start({ folder });
    const browser = await Browser.signIn(server.url, email);
    const stream = await browser.open();
    await admin(store, "set-role", "--email", email, "--role", "400");
    const started = performance.now();
    await makeFolder(server.url, authorization, "after that");
    await browser.listen(stream);
    assert.deepEqual(browser.names, []);
    assert.ok(performance.now() - started < 5000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a browser that goes away is told no more", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await makeOwner(folder);
    await using server = await TestServer.start({ folder });
    const browser = await Browser.signIn(server.url);
    const stream = await browser.open();
    const countWaiting = async () => {
      const text = await (await server.fetch("/metrics")).text();
      return Number(/^sotto_requests_waiting (\d+)/m.exec(text)?.[1]);
    };
    assert.equal(await countWaiting(), 1);
    await stream.leave();
    while (await countWaiting() > 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
