import assert from "node:assert/strict";
import { type ClientStage, createChannel, sendToTopic } from "./client_stage.ts";
import type { PythonLibrary } from "./python_library.ts";

/** Calls the methods that send, read, edit, react to and delete messages. */
export async function callMessageMethods(stage: ClientStage, library: PythonLibrary): Promise<void> {
  const roses = await createChannel(stage, "roses", [stage.ada, stage.bob]);
  const message = { type: "stream", to: "roses", subject: "pruning", content: "Hello, **garden**" };
  const { id } = await library.ok("send_message", message);
  const read = { anchor: "newest", num_before: 5, num_after: 0 };
  const { messages } = await library.ok("get_messages", read);
  const latest = messages.at(-1);
  assert.deepEqual([latest.id, latest.subject, latest.content, latest.stream_id, latest.type], [
    ...[id, "pruning", "<p>Hello, <strong>garden</strong></p>", roses, "stream"],
  ]);
  const narrow = [{ operator: "topic", operand: "pruning" }];
  const matching = await library.okWith("check_messages_match_narrow", { msg_ids: [id], narrow });
  assert.deepEqual(Object.keys(matching.messages), [`${id}`]);
  const { rendered } = await library.ok("render_message", { content: "foo **bar**" });
  assert.equal(rendered, "<p>foo <strong>bar</strong></p>");

  await library.ok("update_message", { message_id: id, content: "Hello, *garden*", topic: "hedges" });
  const raw = await library.ok("get_raw_message", id);
  assert.deepEqual([raw.raw_content, raw.message.subject], ["Hello, *garden*", "hedges"]);
  const { message_history: history } = await library.ok("get_message_history", id);
  assert.equal(history.at(-1).content, "Hello, *garden*");
  assert.deepEqual([history.at(-1).prev_topic, history.at(-1).topic], ["pruning", "hedges"]);

  const reaction = { message_id: id, emoji_name: "joy", emoji_code: "1f602", reaction_type: "unicode_emoji" };
  const reactions = async () => {
    const { messages: [renamed] } = await library.ok("get_messages", {
      anchor: id,
      num_before: 0,
      num_after: 0,
    });
    return renamed.reactions.map((one: { emoji_name: string }) => one.emoji_name);
  };
  await library.ok("add_reaction", reaction);
  assert.deepEqual(await reactions(), ["joy"]);
  await library.ok("remove_reaction", reaction);
  assert.deepEqual(await reactions(), []);

  await createChannel(stage, "tulips", [stage.ada]);
  const moving = { stream: "roses", new_stream: "tulips", topic: "hedges", new_topic: "bulbs" };
  await library.okWith("move_topic", { ...moving, notify_old_topic: false, notify_new_topic: false });
  const { message: moved } = await library.ok("get_raw_message", id);
  assert.deepEqual([moved.id, moved.display_recipient, moved.subject], [id, "tulips", "bulbs"]);
  await library.ok("delete_message", id);
  const gone = await library.call("get_raw_message", { args: [id] });
  assert.deepEqual([gone.result, gone.code], ["error", "BAD_REQUEST"]);
}

/** Calls the methods that mark messages as read. */
export async function callReadMethods(stage: ClientStage, library: PythonLibrary): Promise<void> {
  const lilies = await createChannel(stage, "lilies", [stage.ada, stage.bob]);
  const send = (topic: string) => sendToTopic(stage, stage.bob, ["lilies", topic, "Water them"]);
  const isRead = async (id: number) =>
    (await library.ok("get_raw_message", id)).message.flags.includes("read");
  const marks: readonly [string, (id: number) => readonly unknown[]][] = [
    ["update_message_flags", (id) => [{ messages: [id], op: "add", flag: "read" }]],
    ["mark_topic_as_read", () => [lilies, "pond"]],
    ["mark_stream_as_read", () => [lilies]],
    ["mark_all_as_read", () => []],
  ];
  for (const [method, toArgs] of marks) {
    const id = await send("pond");
    assert.equal(await isRead(id), false, method);
    await library.ok(method, ...toArgs(id));
    assert.equal(await isRead(id), true, method);
  }
}

/** Calls the methods for channels and subscriptions. */
export async function callChannelMethods(
  { ada, bob }: ClientStage,
  library: PythonLibrary,
): Promise<void> {
  const subscribed = await library.ok("add_subscriptions", [{ name: "ferns" }]);
  assert.deepEqual(Object.values(subscribed.subscribed), [["ferns"]]);
  const { stream_id: ferns } = await library.ok("get_stream_id", "ferns");
  await library.okWith("add_subscriptions", { streams: [{ name: "ferns" }], principals: [bob.id] });
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  for (const method of ["get_subscriptions", "list_subscriptions"]) {
    assert.ok(names((await library.ok(method)).subscriptions).includes("ferns"));
  }
  assert.deepEqual(
    new Set((await library.okWith("get_subscribers", { stream: "ferns" })).subscribers),
    new Set([ada.id, bob.id]),
  );
  assert.equal((await library.ok("get_subscription_status", bob.id, ferns)).is_subscribed, true);
  await library.ok("remove_subscriptions", ["ferns"], [bob.id]);
  assert.equal((await library.ok("get_subscription_status", bob.id, ferns)).is_subscribed, false);

  const property = { stream_id: ferns, property: "pin_to_top", value: true };
  await library.ok("update_subscription_settings", [property]);
  await library.ok("send_message", { type: "stream", to: "ferns", subject: "fronds", content: "Hello" });
  const { topics } = await library.ok("get_stream_topics", ferns);
  assert.deepEqual(names(topics), ["fronds"]);
  await library.ok("mute_topic", { stream: "ferns", topic: "fronds", op: "add" });
  const { muted_topics: muted } = await library.okWith("register", { event_types: ["muted_topics"] });
  assert.deepEqual(muted.map(([channel, topic]: string[]) => [channel, topic]), [["ferns", "fronds"]]);
  const address = await library.call("get_stream_email_address", { args: [ferns] });
  assert.equal(address.result, "error", "This server receives no email");

  await library.ok("update_stream", { stream_id: ferns, description: "Shade", new_name: "mosses" });
  await library.ok("add_default_stream", ferns);
  const { streams } = await library.okWith("get_streams", { include_default: true });
  const found = streams.find(({ stream_id }: { stream_id: number }) => stream_id === ferns);
  assert.deepEqual([found.name, found.description, found.is_default], ["mosses", "Shade", true]);
  await library.ok("delete_stream", ferns);
  assert.ok(!names((await library.okWith("get_streams")).streams).includes("mosses"));
}
