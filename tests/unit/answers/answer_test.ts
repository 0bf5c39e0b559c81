import assert from "node:assert/strict";
import { type Answer, findDifferences, readAnswer, replaceVarying } from "@/tests/answers/answer.ts";

const answer = (name: string, body: string): Answer => ({ name, status: 200, headers: "", body });

Deno.test("a comparison names the answers that changed, came or went, except those that may", () => {
  const before = [answer("kept", "a"), answer("changed", "a"), answer("gone", "a"), answer("wanted", "a")];
  const after = [answer("kept", "a"), answer("changed", "b"), answer("new", "a"), answer("wanted", "b")];
  const differences = findDifferences(before, after, [/^wanted$/]);
  assert.deepEqual(differences.map((text) => text.split("\n")[0]), ["changed", "gone", "new"]);
  assert.deepEqual(findDifferences(before, before), []);
});

Deno.test("an answer has its status, the headers that clients act on, and no random names", async () => {
  const headers = { "content-type": "application/json", "retry-after": "5", date: "today" };
  const response = new Response(`{"queue_id":"${crypto.randomUUID()}"}`, { status: 429, headers });
  assert.deepEqual(await readAnswer("one", response), {
    name: "one",
    status: 429,
    headers: "content-type: application/json\nretry-after: 5",
    body: '{"queue_id":"UUID"}',
  });
  assert.equal(replaceVarying(`key=${"aB3".repeat(10)}xy, id 7`), "key=SECRET, id 7");
});
