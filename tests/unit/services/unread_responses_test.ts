import assert from "node:assert/strict";
import { UnreadResponses } from "@/lib/services/unread_responses.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const MIB = 1024 * 1024;
const STALLED_MS = 30_000;
const PATIENCE_MS = 2000;

/** Answers with the time that a test sets. */
function createAnswers() {
  const clock = { time: 0, monotonic: () => clock.time };
  const answers = new UnreadResponses(clock);
  const open = (authorization: string, bytes = MIB) => {
    const request = new Request("http://localhost/", { headers: { authorization } });
    const ended = { isEnded: false };
    const content = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024)),
      cancel: () => void (ended.isEnded = true),
    });
    return { reader: answers.watch(request, content, bytes).getReader(), ended };
  };
  return { clock, open, answers };
}

Deno.test("an answer that is not read for half a minute is ended, and its content released", async () => {
  const { clock, open } = createAnswers();
  const stalled = open("a");
  const steady = open("a");
  await Promise.all([stalled.reader.read(), steady.reader.read()]);
  clock.time += STALLED_MS - 1;
  assert.equal((await steady.reader.read()).done, false);
  clock.time += 1;
  await waitFor("the content is released", () => stalled.ended.isEnded);
  await assert.rejects(stalled.reader.read(), /not read/);
  assert.equal((await steady.reader.read()).done, false, "a slow reader goes on");
  await steady.reader.cancel();
  assert.ok(steady.ended.isEnded);
});

Deno.test("answers beyond the memory of one account end those that make no progress", async () => {
  const { clock, open } = createAnswers();
  const answers = Array.from({ length: 8 }, () => open("a", 8 * MIB));
  const other = open("b", 8 * MIB);
  for (const { reader } of [...answers, other]) await reader.read();
  const early = open("a", 8 * MIB);
  await early.reader.read();
  assert.ok(answers.every(({ ended }) => !ended.isEnded), "all made progress lately");
  clock.time += PATIENCE_MS;
  const [first, ...rest] = answers;
  await first?.reader.read();
  const last = open("a", 8 * MIB);
  await last.reader.read();
  assert.deepEqual(rest.filter(({ ended }) => ended.isEnded).length, 2);
  assert.ok([first, early, other].every((each) => each?.ended.isEnded === false));
  for (const { reader } of [...answers, other, early, last]) await reader.cancel().catch(() => {});
});

Deno.test("long bytes are handed over in slices that join to the whole", async () => {
  const { answers } = createAnswers();
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const whole = new Uint8Array([...bytes, ...bytes, 1]);
  const request = new Request("http://localhost/");
  const pieces = await Array.fromAsync(answers.slice(request, whole));
  assert.ok(pieces.length === 3);
  assert.deepEqual(
    new Uint8Array(await new Blob(pieces.map((piece) => new Uint8Array(piece))).bytes()),
    whole,
  );
});
