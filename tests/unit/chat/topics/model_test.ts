import assert from "node:assert/strict";
import {
  isResolutionChange,
  isResolved,
  parseTopic,
  toDisplayTopic,
  toResolvedTopic,
  toUnresolvedTopic,
} from "@/lib/chat/channels/topics/model.ts";

Deno.test("parseTopic() trims a topic", () => {
  assert.equal(parseTopic("  lunch  today "), "lunch  today");
  assert.equal(parseTopic("   "), "");
});

Deno.test("parseTopic() maps the names of general chat to the empty topic", () => {
  assert.equal(parseTopic("general chat"), "");
  assert.equal(parseTopic(" (no topic) "), "");
  assert.equal(parseTopic("General chat"), "General chat");
});

Deno.test("parseTopic() counts code points and names the parameter in its error", () => {
  assert.equal(parseTopic("😀".repeat(60)), "😀".repeat(60));
  const refusal = { code: "BAD_REQUEST", message: "topic is too long (limit: 60 characters)" };
  assert.throws(() => parseTopic("a".repeat(61)), refusal);
  assert.throws(() => parseTopic("a".repeat(61), "topic_name"), /^AppError: topic_name is too long/);
});

Deno.test("parseTopic() refuses an invalid character by its position", () => {
  for (const bad of ["\u0000", "\n", "\u007f", "\ud800", "\uffff", "\u{1fffe}"]) {
    const refusal = { code: "BAD_REQUEST", message: "Invalid character in topic, at position 3." };
    assert.throws(() => parseTopic(`😀a${bad}b`), refusal);
  }
});

Deno.test("toDisplayTopic() returns the display name of general chat when the client needs one", () => {
  assert.equal(toDisplayTopic("", false), "general chat");
  assert.equal(toDisplayTopic("", true), "");
  assert.equal(toDisplayTopic("lunch", false), "lunch");
});

Deno.test("toResolvedTopic() and toUnresolvedTopic() add and remove the prefix", () => {
  assert.equal(toResolvedTopic("lunch"), "✔ lunch");
  assert.equal(toResolvedTopic("✔ lunch"), "✔ lunch");
  assert.equal(toUnresolvedTopic("✔ ✔ lunch"), "lunch");
  assert.equal(toUnresolvedTopic("✔ ✔"), "✔");
  assert.equal(toUnresolvedTopic("lunch ✔ "), "lunch ✔ ");
  assert.ok(isResolved("✔ lunch") && !isResolved("✔lunch") && !isResolved("lunch"));
});

Deno.test("toResolvedTopic() truncates the name to the maximum length", () => {
  assert.equal(toResolvedTopic("a".repeat(58)), `✔ ${"a".repeat(58)}`);
  assert.equal(toResolvedTopic("a".repeat(59)), `✔ ${"a".repeat(57)}…`);
  assert.equal([...toResolvedTopic("😀".repeat(60))].length, 60);
});

Deno.test("toResolvedTopic() refuses general chat", () => {
  const refusal = { code: "BAD_REQUEST", message: "General chat cannot be marked as resolved" };
  assert.throws(() => toResolvedTopic(""), refusal);
});

Deno.test("isResolutionChange() distinguishes resolving and unresolving from other renames", () => {
  const long = "a".repeat(60);
  assert.ok(isResolutionChange("lunch", "✔ lunch"));
  assert.ok(isResolutionChange("✔ lunch", "lunch"));
  assert.ok(isResolutionChange("✔ ✔ lunch", "lunch"));
  assert.ok(isResolutionChange(long, toResolvedTopic(long)));
  for (
    const [before, after] of [["lunch", "✔ dinner"], ["✔ lunch", "dinner"], ["lunch", "lunch"], ["", "✔ a"]]
  ) {
    assert.ok(!isResolutionChange(before ?? "", after ?? ""), `${before} → ${after}`);
  }
});
