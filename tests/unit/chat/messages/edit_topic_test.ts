import assert from "node:assert/strict";
import {
  isMoved,
  isResolution,
  isResolved,
  PROPAGATE_MODES,
  propagateMode,
  readTopic,
  resolveTopic,
  showTopic,
  unresolveTopic,
} from "@/lib/chat/messages/edit_topic.ts";
import { readParams } from "@/lib/chat/params/read.ts";

Deno.test("readTopic() takes the blanks around a topic away", () => {
  assert.equal(readTopic("  lunch  today "), "lunch  today");
  assert.equal(readTopic("   "), "");
});

Deno.test("readTopic() takes the names of the empty topic for the empty topic", () => {
  assert.equal(readTopic("general chat"), "");
  assert.equal(readTopic(" (no topic) "), "");
  assert.equal(readTopic("General chat"), "General chat");
});

Deno.test("readTopic() counts code points, and names the parameter in its refusal", () => {
  assert.equal(readTopic("😀".repeat(60)), "😀".repeat(60));
  const refusal = { code: "BAD_REQUEST", message: "topic is too long (limit: 60 characters)" };
  assert.throws(() => readTopic("a".repeat(61)), refusal);
  assert.throws(() => readTopic("a".repeat(61), "topic_name"), /^AppError: topic_name is too long/);
});

Deno.test("readTopic() refuses what is no character, by its place", () => {
  for (const bad of ["\u0000", "\n", "\u007f", "\ud800", "\uffff", "\u{1fffe}"]) {
    const refusal = { code: "BAD_REQUEST", message: "Invalid character in topic, at position 3." };
    assert.throws(() => readTopic(`😀a${bad}b`), refusal);
  }
});

Deno.test("showTopic() gives the empty topic its display name where the client needs one", () => {
  assert.equal(showTopic("", false), "general chat");
  assert.equal(showTopic("", true), "");
  assert.equal(showTopic("lunch", false), "lunch");
});

Deno.test("a topic is resolved and opened again by its name", () => {
  assert.equal(resolveTopic("lunch"), "✔ lunch");
  assert.equal(resolveTopic("✔ lunch"), "✔ lunch");
  assert.equal(unresolveTopic("✔ ✔ lunch"), "lunch");
  assert.equal(unresolveTopic("✔ ✔"), "✔");
  assert.equal(unresolveTopic("lunch ✔ "), "lunch ✔ ");
  assert.ok(isResolved("✔ lunch") && !isResolved("✔lunch") && !isResolved("lunch"));
});

Deno.test("resolveTopic() keeps within the longest topic", () => {
  assert.equal(resolveTopic("a".repeat(58)), `✔ ${"a".repeat(58)}`);
  assert.equal(resolveTopic("a".repeat(59)), `✔ ${"a".repeat(57)}…`);
  assert.equal([...resolveTopic("😀".repeat(60))].length, 60);
});

Deno.test("resolveTopic() refuses the empty topic", () => {
  const refusal = { code: "BAD_REQUEST", message: "General chat cannot be marked as resolved" };
  assert.throws(() => resolveTopic(""), refusal);
});

Deno.test("isResolution() tells resolving and opening from other renames", () => {
  const long = "a".repeat(60);
  assert.ok(isResolution("lunch", "✔ lunch"));
  assert.ok(isResolution("✔ lunch", "lunch"));
  assert.ok(isResolution("✔ ✔ lunch", "lunch"));
  assert.ok(isResolution(long, resolveTopic(long)));
  for (
    const [before, after] of [["lunch", "✔ dinner"], ["✔ lunch", "dinner"], ["lunch", "lunch"], ["", "✔ a"]]
  ) {
    assert.ok(!isResolution(before ?? "", after ?? ""), `${before} → ${after}`);
  }
});

Deno.test("what moves along follows the mode", () => {
  const moved = PROPAGATE_MODES.map((mode) => [4, 5, 6].filter((id) => isMoved(mode, { editedId: 5, id })));
  assert.deepEqual(moved, [[5], [5, 6], [4, 5, 6]]);
});

Deno.test("propagateMode() refuses any other word", () => {
  const read = (sent: string) =>
    readParams({ propagate_mode: propagateMode() }, new Map([["propagate_mode", sent]]));
  assert.equal(read("change_later").values.propagate_mode, "change_later");
  assert.throws(() => read("change_some"), /Invalid propagate_mode/);
});
