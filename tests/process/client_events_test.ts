import assert from "node:assert/strict";
import zulip from "zulip-js";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { Gateway } from "@/tests/helpers/gateway.ts";
import { collect, PROJECT, TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const PASSWORD = "a quiet garden wall";
const PICTURE = "thumbs_up";

/** An answer of the client, which has no types. */
// deno-lint-ignore no-explicit-any
type Untyped = any;

/** Asserts that a call succeeded, and returns its answer. */
async function ok(call: Promise<Untyped>): Promise<Untyped> {
  const answer = await call;
  assert.equal(answer.result, "success", JSON.stringify(answer));
  return answer;
}

/** Starts a server with two users and their clients, which reach it by a gateway where there is one. */
async function startGarden(gateway?: Gateway) {
  const folder = await Deno.makeTempDir();
  await createGardeners(`${folder}/sotto.kv`, { email: "ada@example.com", name: "Ada", password: PASSWORD });
  const member = ["--email", "bob@example.com", "--name", "Bob"];
  const created = await callCommand(`${folder}/sotto.kv`, "create-user", ...member);
  const server = await TestServer.start({
    folder,
    ...(gateway === undefined ? {} : { baseUrl: gateway.url }),
  });
  gateway?.forwardTo(server.port);
  const realm = server.baseUrl;
  const ada: Untyped = await zulip({ username: "ada@example.com", password: PASSWORD, realm });
  const bob: Untyped = await zulip({ username: created.email, apiKey: created.api_key, realm });
  return {
    ...{ server, folder, ada, bob, bobId: created.user_id },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("a third-party client signs in by password, and reads users, channels and settings", async () => {
  await using garden = await startGarden();
  const { ada, bobId, server } = garden;
  const key = await ok(ada.accounts.retrieve());
  assert.deepEqual([key.email, key.api_key, ada.config.apiKey], [
    "ada@example.com",
    key.api_key,
    key.api_key,
  ]);
  const profile = await ok(ada.users.me.getProfile());
  assert.deepEqual([profile.full_name, profile.is_owner, profile.user_id], ["Ada", true, key.user_id]);
  const params = { email: "eve@example.com", password: PASSWORD, full_name: "Eve" };
  const { user_id } = await ok(ada.users.create(params));
  const eve = await zulip({ username: params.email, password: PASSWORD, realm: server.baseUrl });
  assert.equal((await ok(eve.users.me.getProfile())).user_id, user_id);
  assert.equal((await ada.users.create(params)).result, "error");
  const { members } = await ok(ada.users.retrieve({ client_gravatar: true }));
  assert.deepEqual(members.map(({ full_name }: Untyped) => full_name).toSorted(), ["Ada", "Bob", "Eve"]);

  const subscriptions = JSON.stringify([{ name: "roses", description: "All of them" }]);
  const added = await ok(ada.users.me.subscriptions.add({ subscriptions, principals: [bobId] }));
  assert.deepEqual(added.subscribed, { [bobId]: ["roses"] });
  await ok(ada.users.me.subscriptions.add({ subscriptions }));
  const { stream_id } = await ok(ada.streams.getStreamId("roses"));
  const { streams } = await ok(ada.streams.retrieve({ include_public: true }));
  assert.ok(streams.some((one: Untyped) => one.stream_id === stream_id && one.name === "roses"));
  const own = await ok(ada.streams.subscriptions.retrieve({ include_subscribers: true }));
  const roses = own.subscriptions.find((one: Untyped) => one.stream_id === stream_id);
  assert.deepEqual(roses.subscribers.toSorted(), [profile.user_id, bobId].toSorted());
  await ok(ada.messages.send({ type: "stream", to: "roses", topic: "pruning", content: "Now" }));
  const { topics } = await ok(ada.streams.topics.retrieve({ stream_id }));
  assert.deepEqual(topics.map(({ name }: Untyped) => name), ["pruning"]);
  const gone = await ok(garden.bob.users.me.subscriptions.remove({ subscriptions: '["roses"]' }));
  assert.deepEqual(gone.removed, ["roses"]);

  const settings = await ok(ada.server.settings());
  assert.deepEqual([settings.realm_name, settings.realm_url], ["Gardeners", server.baseUrl]);
  assert.deepEqual((await ok(ada.emojis.retrieve())).emoji, {});
  await ok(ada.callEndpoint("/realm/filters", "POST", {
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://example.com/{id}",
  }));
  const { linkifiers } = await ok(ada.callEndpoint("realm/linkifiers"));
  assert.deepEqual(linkifiers.map(({ pattern }: Untyped) => pattern), ["#(?P<id>[0-9]+)"]);
  await ok(ada.streams.deleteById({ stream_id }));
});

Deno.test("a third-party client sends, reads, marks, changes and removes messages", async () => {
  await using garden = await startGarden();
  const { ada, bob, bobId } = garden;
  await ok(ada.users.me.subscriptions.add({ subscriptions: '[{"name":"roses"}]', principals: [bobId] }));
  await ok(ada.users.me.subscriptions.add({ subscriptions: '[{"name":"roses"}]' }));
  const send = (client: Untyped, content: string) =>
    ok(client.messages.send({ type: "stream", to: "roses", topic: "pruning", content }));
  const { id } = await send(ada, "Hello, *you*");
  await ok(ada.messages.send({ type: "private", to: ["bob@example.com"], content: "Ünïcode\r\n--x\r\n" }));
  const newest = { anchor: "newest", num_before: 10, num_after: 0 };
  const narrow = [{ operator: "channel", operand: "roses" }];
  const { messages } = await ok(bob.messages.retrieve({ ...newest, narrow }));
  assert.deepEqual(messages.map((one: Untyped) => one.content), ["<p>Hello, <em>you</em></p>"]);
  const raw = await ok(bob.messages.retrieve({ ...newest, apply_markdown: false }));
  assert.equal(raw.messages.at(-1).content, "Ünïcode\r\n--x");
  assert.equal((await ok(bob.messages.getById({ message_id: id }))).message.id, id);

  for (const [call, flags] of [["add", ["starred", "read"]], ["remove", ["starred"]]] as const) {
    for (const flag of flags) {
      assert.deepEqual((await ok(bob.messages.flags[call]({ messages: [id], flag }))).messages, [id]);
    }
  }
  assert.deepEqual((await ok(bob.messages.getById({ message_id: id }))).message.flags, ["read"]);
  assert.equal((await ok(bob.messages.render("**so**"))).rendered, "<p><strong>so</strong></p>");
  assert.equal((await ok(bob.messages.render({ content: "a" }))).rendered, "<p>a</p>");

  await ok(ada.messages.update({ message_id: id, content: "Good bye" }));
  const { message_history } = await ok(bob.messages.getHistoryById({ message_id: id }));
  assert.deepEqual(message_history.map(({ content }: Untyped) => content), ["Hello, *you*", "Good bye"]);
  await ok(bob.reactions.add({ message_id: id, emoji_name: "tada" }));
  await ok(bob.reactions.add({ message_id: id, emoji_name: PICTURE }));
  const twice = await bob.reactions.add({ message_id: id, emoji_name: "tada" });
  assert.equal(twice.msg, "Reaction already exists.");
  await ok(bob.reactions.remove({ message_id: id, emoji_name: "tada" }));
  await ok(bob.messages.deleteReactionById({ message_id: id, emoji_name: PICTURE }));
  assert.equal((await bob.messages.deleteById({ message_id: id })).result, "error");
  await ok(ada.messages.deleteById({ message_id: id }));
  assert.equal((await bob.messages.getById({ message_id: id })).result, "error");
});

/** A client's own event loop in a process; disposing of it ends it. */
class ClientLoop implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #text: () => string;

  constructor({ config }: Untyped, types: readonly string[]) {
    const script = `${PROJECT}tests/process/client_loop.ts`;
    const { realm, username, apiKey } = config;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--config", `${PROJECT}deno.json`, script, realm, username, apiKey, ...types],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#text = collect(this.#child.stdout);
  }

  /** The events that it has received; its other lines of output are errors. */
  get received(): Untyped[] {
    const lines = this.#text().split("\n").slice(0, -1);
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  }

  /** Waits until it has received an event of a type that `isIt` accepts, and returns that. */
  waitForEvent(type: string, isIt: (event: Untyped) => boolean = () => true): Promise<Untyped> {
    const find = () => this.received.find((event) => event.type === type && isIt(event));
    return waitFor(`an event of type ${type}`, find, {
      explain: () => `The client's output:\n${this.#text()}`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }
}

Deno.test("a third-party client's own loop receives messages, reactions, edits and typing, and resumes after a restart", async () => {
  await using gateway = new Gateway();
  await using garden = await startGarden(gateway);
  const { ada, bob, bobId, server, folder } = garden;
  const types = ["message", "reaction", "update_message", "delete_message", "typing"];
  await using loop = new ClientLoop(bob, types);
  await untilWaiting(server);
  const send = (content: string) => ok(ada.messages.send({ type: "direct", to: [bobId], content }));
  const { id } = await send("one");
  const { message } = await loop.waitForEvent("message");
  assert.deepEqual([message.id, message.content, message.sender_email], [id, "one", "ada@example.com"]);
  await ok(ada.typing.send({ to: [bobId], op: "start" }));
  await ok(ada.reactions.add({ message_id: id, emoji_name: "tada" }));
  await ok(ada.messages.update({ message_id: id, content: "*one*" }));
  assert.equal((await loop.waitForEvent("typing")).op, "start");
  assert.equal((await loop.waitForEvent("reaction")).emoji_name, "tada");
  assert.equal((await loop.waitForEvent("update_message")).content, "*one*");
  await server.kill();
  await using again = await TestServer.start({ folder, baseUrl: gateway.url });
  gateway.forwardTo(again.port);
  const later = await send("two");
  assert.equal(
    (await loop.waitForEvent("message", (event) => event.message.id === later.id)).message.content,
    "two",
  );
  await ok(ada.messages.deleteById({ message_id: id }));
  await loop.waitForEvent("delete_message");
  const ids = loop.received.map((event) => event.id);
  assert.deepEqual(ids, [...new Set(ids)].toSorted((one, other) => one - other), "each once, in order");
});

async function untilWaiting(server: TestServer): Promise<void> {
  const read = () => server.metric("sotto_requests_waiting");
  await server.waitFor("the client waits for events", read, (waiting) => waiting === 1);
}
