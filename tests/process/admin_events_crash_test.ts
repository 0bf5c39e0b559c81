// GET /admin/events of a server that is killed and replaced, or stops
import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { StreamReader } from "@/tests/helpers/event_stream.ts";
import { RawConnection } from "@/tests/helpers/raw_http.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { ask, killUnderTraffic } from "./messages_traffic.ts";
import { readRounds, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = readRounds(1);
const WRITERS = 4;
/** Most channel folders that are created in a round before the kill. */
const FOLDERS = 100;
const EMAIL = "owner@example.com";
const PASSWORD = "violet kettle seldom 42";

/** An administrator's browser, which resumes from its last event, and the names of folders it received. */
class Browser {
  readonly names: string[] = [];
  #last: string | null = null;

  constructor(public url: string, readonly cookie: string) {}

  /** Signs in at a server. */
  static async signIn({ url, baseUrl }: TestServer, username = EMAIL): Promise<Browser> {
    const response = await fetch(`${url}/login`, {
      method: "POST",
      headers: { origin: baseUrl },
      body: new URLSearchParams({ username, password: PASSWORD }),
      redirect: "manual",
    });
    await response.body?.cancel();
    assert.equal(response.status, 303);
    return new Browser(url, response.headers.getSetCookie()[0]?.split(";")[0] ?? "");
  }

  /** Sends later requests to another server; returns the same browser. */
  movedTo(url: string): this {
    this.url = url;
    return this;
  }

  async open(): Promise<StreamReader> {
    const headers = { cookie: this.cookie, ...(this.#last === null ? {} : { "last-event-id": this.#last }) };
    const stream = new StreamReader(
      await fetch(`${this.url}/admin/events?types=["channel_folder"]&page=/admin/channel-folders`, {
        headers,
      }),
    );
    if (this.#last === null) await stream.any();
    this.#last ??= stream.last;
    return stream;
  }

  /** Reads events until the stream ends, or a number of them was received in all. */
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
  const { email, api_key } = await createGardeners(`${folder}/sotto.kv`, {
    email: EMAIL,
    name: "Owner",
    password: PASSWORD,
  });
  return basic(email, api_key);
}

Deno.test("kill -9 while an administrator listens: resumed streams send every event once, in order", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  try {
    const authorization = await makeOwner(folder);
    let browser: Browser | null = null;
    let created = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      const { url } = server;
      if (round === 0) await makeFolder(url, authorization, "first");
      browser ??= await Browser.signIn(server);
      const listening = browser.listen(await browser.movedTo(url).open());
      const writing = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let at = 0; await makeFolder(url, authorization, `${round} ${writer} ${at}`); at++) created++;
      });
      const goal = created + 2 * WRITERS + Math.floor(random() * FOLDERS);
      await killUnderTraffic([server], { clients: [listening, ...writing], count: () => created, goal });
    }
    assert.ok(browser !== null);
    await using server = await TestServer.start({ folder });
    const reply = await ask(`${server.url}/api/v1/channel_folders`, { headers: { authorization } });
    const { channel_folders } = JSON.parse(reply?.text ?? "");
    const names: string[] = channel_folders.map(({ name }: { name: string }) => name).slice(1);
    await browser.listen(await browser.movedTo(server.url).open(), names.length);
    assert.deepEqual(browser.names, names);
    assert.ok(names.length > ROUNDS * WRITERS, `${names.length} were received`);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the streams of a server end when they must", async (t) => {
  await using folder = await createTestFolder();
  const authorization = await makeOwner(folder.path);
  const [one, other] = await Promise.all([TestServer.start({ folder: folder.path }), TestServer.start()]);
  await using server = one;
  await using busyServer = other;
  await t.step("a server stops sending to a browser that disconnects", () => disconnect(server));
  await t.step(
    "a stream ends with the next event after another process removed the role, and does not send that event",
    () => removeRole(server, authorization),
  );
  await t.step(
    "a stopping server ends its streams first and does not wait for browsers that do not read",
    () => stopWithStreams(server, busyServer),
  );
});

async function disconnect(server: TestServer): Promise<void> {
  const browser = await Browser.signIn(server);
  const stream = await browser.open();
  const countWaiting = () => server.metric("sotto_requests_waiting");
  assert.equal(await countWaiting(), 1);
  await stream.leave();
  await server.waitFor("no stream is left", countWaiting, (waiting) => waiting === 0);
}

async function removeRole(server: TestServer, authorization: string): Promise<void> {
  const email = "second@example.com";
  const person = ["--email", email, "--name", "Second", "--role", "200", "--password", PASSWORD];
  await callCommand(server.store, "create-user", ...person);
  const [owner, browser] = [await Browser.signIn(server), await Browser.signIn(server, email)];
  const ownerStream = await owner.open();
  const stream = await browser.open();
  await callCommand(server.store, "set-role", "--email", email, "--role", "400");
  await makeFolder(server.url, authorization, "after that");
  await browser.listen(stream);
  assert.deepEqual(browser.names, []);
  await makeFolder(server.url, authorization, "later");
  // The other stream is older, and would have had a sign of life before this one was checked at its own.
  const types = [(await ownerStream.any())?.type, (await ownerStream.any())?.type];
  assert.deepEqual(types, ["message", "message"]);
  await ownerStream.leave();
}

async function stopWithStreams(server: TestServer, busyServer: TestServer): Promise<void> {
  const browser = await Browser.signIn(server);
  const streams = await Promise.all(Array.from({ length: 20 }, () => browser.open()));
  using _unfinished = await openUnfinishedRequest(busyServer);
  // A busy server waits as long as it may: one that is stopped after it and ends before it did not wait.
  const order: string[] = [];
  const busyStopped = busyServer.stop().finally(() => order.push("the busy server"));
  const stopped = server.stop().finally(() => order.push("the server"));
  for (const stream of streams.slice(10)) await browser.listen(stream);
  assert.equal(await stopped, 0);
  assert.deepEqual(order, ["the server"]);
  for (const stream of streams.slice(0, 10)) await stream.leave();
  assert.equal(server.errors, "");
  await busyServer.kill();
  await busyStopped;
}

/** Sends a request whose body never comes, and waits until the server has it. */
async function openUnfinishedRequest(server: TestServer): Promise<RawConnection> {
  const connection = await RawConnection.open(server);
  const head = ["POST / HTTP/1.1", `Host: 127.0.0.1:${server.port}`, "Content-Type: application/json"];
  await connection.send(`${head.join("\r\n")}\r\nContent-Length: 10\r\n\r\n`);
  const read = () => server.metric("sotto_requests_in_flight");
  // The request for the metrics is one of them.
  await server.waitFor("the request is in flight", read, (count) => count === 2);
  return connection;
}
