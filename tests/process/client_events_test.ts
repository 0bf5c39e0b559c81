import assert from "node:assert/strict";
import zulip from "zulip-js";
import { admin } from "@/tests/helpers/command_line.ts";
import { collect, freePort, PROJECT, TestServer, within } from "@/tests/helpers/server.ts";

const PASSWORD = "a quiet garden wall";
const PICTURE = "thumbs_up";
const LOOP_MS = 30_000;

/** What the client gives: it has no types. */
// deno-lint-ignore no-explicit-any
type Given = any;

/** Asserts that a call succeeded, and gives its answer. */
async function ok(call: Promise<Given>): Promise<Given> {
  const answer = await call;
  assert.equal(answer.result, "success", JSON.stringify(answer));
  return answer;
}

/** A server in a folder of its own, with an organization and two people. */
async function startGarden() {
  const folder = await Deno.makeTempDir();
  const owner = ["--owner-email", "ada@example.com", "--owner-name", "Ada", "--owner-password", PASSWORD];
  await admin(`${folder}/sotto.kv`, "create-realm", "--name", "Gardeners", ...owner);
  const made = await admin(
    `${folder}/sotto.kv`,
    "create-user",
    "--email",
    "bob@example.com",
    "--name",
    "Bob",
  );
  const port = freePort();
  const server = await TestServer.start({ folder, port });
  const config = { username: "ada@example.com", password: PASSWORD, realm: server.url };
  const ada: Given = await zulip(config);
  const bob: Given = await zulip({ username: made.email, apiKey: made.api_key, realm: server.url });
  return {
    ...{ server, folder, port, ada, bob, bobId: made.user_id },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("a client that others wrote signs in by password, and knows people, channels and the server", async () => {
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
  const made = { email: "eve@example.com", password: PASSWORD, full_name: "Eve" };
  const { user_id } = await ok(ada.users.create(made));
  const eve = await zulip({ username: made.email, password: PASSWORD, realm: server.url });
  assert.equal((await ok(eve.users.me.getProfile())).user_id, user_id);
  assert.equal((await ada.users.create(made)).result, "error");
  const { members } = await ok(ada.users.retrieve({ client_gravatar: true }));
  assert.deepEqual(members.map(({ full_name }: Given) => full_name).toSorted(), ["Ada", "Bob", "Eve"]);

  const subscriptions = JSON.stringify([{ name: "roses", description: "All of them" }]);
  const added = await ok(ada.users.me.subscriptions.add({ subscriptions, principals: [bobId] }));
  assert.deepEqual(added.subscribed, { [bobId]: ["roses"] });
  await ok(ada.users.me.subscriptions.add({ subscriptions }));
  const { stream_id } = await ok(ada.streams.getStreamId("roses"));
  const { streams } = await ok(ada.streams.retrieve({ include_public: true }));
  assert.ok(streams.some((one: Given) => one.stream_id === stream_id && one.name === "roses"));
  const own = await ok(ada.streams.subscriptions.retrieve({ include_subscribers: true }));
  const roses = own.subscriptions.find((one: Given) => one.stream_id === stream_id);
  assert.deepEqual(roses.subscribers.toSorted(), [profile.user_id, bobId].toSorted());
  await ok(ada.messages.send({ type: "stream", to: "roses", topic: "pruning", content: "Now" }));
  const { topics } = await ok(ada.streams.topics.retrieve({ stream_id }));
  assert.deepEqual(topics.map(({ name }: Given) => name), ["pruning"]);
  const gone = await ok(garden.bob.users.me.subscriptions.remove({ subscriptions: '["roses"]' }));
  assert.deepEqual(gone.removed, ["roses"]);

  const settings = await ok(ada.server.settings());
  assert.deepEqual([settings.realm_name, settings.realm_url], ["Gardeners", server.url]);
  assert.deepEqual((await ok(ada.emojis.retrieve())).emoji, {});
  await ok(ada.callEndpoint("/realm/filters", "POST", {
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://example.com/{id}",
  }));
  const { linkifiers } = await ok(ada.callEndpoint("realm/linkifiers"));
  assert.deepEqual(linkifiers.map(({ pattern }: Given) => pattern), ["#(?P<id>[0-9]+)"]);
  await ok(ada.streams.deleteById({ stream_id }));
});

Deno.test("a client that others wrote sends, reads, marks, changes and removes messages", async () => {
  await using garden = await startGarden();
  const { ada, bob, bobId } = garden;
  await ok(ada.users.me.subscriptions.add({ subscriptions: '[{"name":"roses"}]', principals: [bobId] }));
  await ok(ada.users.me.subscriptions.add({ subscriptions: '[{"name":"roses"}]' }));
  const say = (who: Given, content: string) =>
    ok(who.messages.send({ type: "stream", to: "roses", topic: "pruning", content }));
  const { id } = await say(ada, "Hello, *you*");
  await ok(ada.messages.send({ type: "private", to: ["bob@example.com"], content: "Ünïcode\r\n--x\r\n" }));
  const newest = { anchor: "newest", num_before: 10, num_after: 0 };
  const narrow = [{ operator: "channel", operand: "roses" }];
  const { messages } = await ok(bob.messages.retrieve({ ...newest, narrow }));
  assert.deepEqual(messages.map((one: Given) => one.content), ["<p>Hello, <em>you</em></p>"]);
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
  assert.deepEqual(message_history.map(({ content }: Given) => content), ["Hello, *you*", "Good bye"]);
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

/** A client's own loop; disposing of it ends it. */
class ClientLoop implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #text: () => string;

  constructor({ config }: Given, types: readonly string[]) {
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

  /** What it heard so far; it also prints what goes wrong. */
  get heard(): Given[] {
    const lines = this.#text().split("\n").slice(0, -1);
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  }

  /** Settles when it has heard an event of a type that `isIt` takes. */
  async hears(type: string, isIt: (event: Given) => boolean = () => true): Promise<Given> {
    const looking = async () => {
      for (;;) {
        const found = this.heard.find((event) => event.type === type && isIt(event));
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    return await within(LOOP_MS, looking(), () => `No ${type} in:\n${this.#text()}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }
}

Deno.test("a client's own loop hears messages, reactions, edits and typing, and goes on after a restart", async () => {
  await using garden = await startGarden();
  const { ada, bob, bobId, server, folder, port } = garden;
  const types = ["message", "reaction", "update_message", "delete_message", "typing"];
  await using loop = new ClientLoop(bob, types);
  await untilWaiting(server);
  const say = (content: string) => ok(ada.messages.send({ type: "direct", to: [bobId], content }));
  const { id } = await say("one");
  const { message } = await loop.hears("message");
  assert.deepEqual([message.id, message.content, message.sender_email], [id, "one", "ada@example.com"]);
  await ok(ada.typing.send({ to: [bobId], op: "start" }));
  await ok(ada.reactions.add({ message_id: id, emoji_name: "tada" }));
  await ok(ada.messages.update({ message_id: id, content: "*one*" }));
  assert.equal((await loop.hears("typing")).op, "start");
  assert.equal((await loop.hears("reaction")).emoji_name, "tada");
  assert.equal((await loop.hears("update_message")).content, "*one*");
  await server.kill();
  await using _again = await TestServer.start({ folder, port });
  const later = await say("two");
  assert.equal(
    (await loop.hears("message", (event) => event.message.id === later.id)).message.content,
    "two",
  );
  await ok(ada.messages.deleteById({ message_id: id }));
  await loop.hears("delete_message");
  const ids = loop.heard.map((event) => event.id);
  assert.deepEqual(ids, [...new Set(ids)].toSorted((one, other) => one - other), "each once, in order");
});

async function untilWaiting(server: TestServer): Promise<void> {
  const waiting = async () => {
    while (!/^sotto_requests_waiting 1$/m.test(await (await server.fetch("/metrics")).text()));
  };
  await within(LOOP_MS, waiting(), () => "Nobody waits");
}
