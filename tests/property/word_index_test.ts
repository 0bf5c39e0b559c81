import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import {
  applyWordChanges,
  IndexConflict,
  indexLatest,
  openWordIndex,
} from "@/lib/chat/messages/word_index/index_words.ts";
import { checkMessages } from "@/lib/cli/check_messages.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { fetchMessageIds, makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { countChanges, indexWords } from "@/tests/casts/word_index_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const WORDS = ["rose", "tulip", "fern", "moss"];
const TOPICS = ["plans", "rose", "Rose", "rose fern", "✔ moss", "moss"];
const MODES = ["change_one", "change_later", "change_all"] as const;
/** Enough words that a round takes several commits. */
const MANY = Array.from({ length: 230 }, (_, number) => `w${number}`).join(" ");

const content = fc.array(fc.constantFrom(...WORDS, MANY), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(" "));
const topic = fc.constantFrom(...TOPICS);
const at = fc.nat({ max: 20 });
/** Number of commits after which a process ends; a round rarely has as many as the most. */
const commits = fc.integer({ min: 1, max: 4 });
const change = fc.oneof(
  fc.record({ kind: fc.constant("edit" as const), at, content }),
  fc.record({ kind: fc.constant("move" as const), at, topic, mode: fc.constantFrom(...MODES) }),
);
const step = fc.oneof(
  fc.record({ kind: fc.constant("send" as const), topic, content }),
  change,
  fc.record({ kind: fc.constant("delete" as const), at }),
  fc.record({ kind: fc.constant("index" as const), commits }),
  // The steps of a race run at once.
  fc.record({ kind: fc.constant("race" as const), change, commits }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Thrown in place of the end of a process. */
class ProcessEnded extends Error {}

/** Indexes as a process that ends after a number of commits. */
async function indexAndEnd({ services, realm }: TestChat, commits: number): Promise<void> {
  let left = commits;
  const rest = () => --left > 0 ? Promise.resolve() : Promise.reject(new ProcessEnded());
  const index = await openWordIndex(services.store, realm.id, { name: `ends after ${commits}`, pause: rest });
  try {
    await applyWordChanges(index);
    await indexLatest(index, 1);
  } catch (error) {
    if (!(error instanceof ProcessEnded || error instanceof IndexConflict)) throw error;
  }
}

/** Messages by id, as the model knows them. */
type Model = Map<number, { readonly topic: string; readonly content: string }>;

function idAt(model: Model, at: number): number | undefined {
  return [...model.keys()][at % Math.max(1, model.size)];
}

async function takeStep(chat: TestChat, { to, model }: { to: number; model: Model }, step: Step) {
  if (step.kind === "index") return await indexAndEnd(chat, step.commits);
  if (step.kind === "send") {
    const { topic, content } = step;
    model.set(await send(chat, chat.owner, { to, topic, content }), { topic, content });
    return;
  }
  if (step.kind === "race") return await race(chat, model, step);
  if (step.kind !== "delete") return await makeChange(chat, model, step);
  const id = idAt(model, step.at);
  if (id === undefined) return;
  await succeed(chat, chat.owner, `DELETE /messages/${id}`);
  model.delete(id);
}

/** Edits a message or moves it, possibly with others of its topic. */
async function makeChange(chat: TestChat, model: Model, change: Change): Promise<void> {
  const id = idAt(model, change.at);
  const before = model.get(id ?? 0);
  if (id === undefined || before === undefined) return;
  if (change.kind === "edit") {
    await succeed(chat, chat.owner, `PATCH /messages/${id}`, { content: change.content });
    model.set(id, { ...before, content: change.content });
    return;
  }
  const { topic, mode } = change;
  if (topic === before.topic) return;
  await succeed(chat, chat.owner, `PATCH /messages/${id}`, { topic, propagate_mode: mode });
  for (const [other, message] of model) {
    const isAlong = mode === "change_all" || (mode === "change_later" && other > id);
    const isSameTopic = message.topic.toLowerCase() === before.topic.toLowerCase();
    if (other === id || (isAlong && isSameTopic)) model.set(other, { ...message, topic });
  }
}

/** Changes a message while two processes index and a search runs, which finds what matches before and after. */
async function race(
  chat: TestChat,
  model: Model,
  { change, commits }: Extract<Step, { kind: "race" }>,
): Promise<void> {
  const word = WORDS[change.at % WORDS.length] ?? "";
  const before = new Set(listMatches(model, word));
  const others = [indexAndEnd(chat, commits), indexAndEnd(chat, commits + 1)];
  const [found] = await Promise.all([search(chat, word), makeChange(chat, model, change), ...others]);
  const after = new Set(listMatches(model, word));
  const when = `search of ${word} during a race`;
  assert.ok(before.intersection(after).isSubsetOf(new Set(found)), `${when} missed a message`);
  assert.ok(before.union(after).isSupersetOf(new Set(found)), `${when} found another message`);
}

async function search(chat: TestChat, word: string): Promise<number[]> {
  return await fetchMessageIds(chat, chat.owner, { narrow: [["search", word]] });
}

function listMatches(model: Model, word: string): number[] {
  const has = (text: string) => text.toLowerCase().split(" ").includes(word);
  return [...model].filter(([, { topic, content }]) => has(topic) || has(content)).map(([id]) => id);
}

async function assertExact(chat: TestChat, model: Model, when: string): Promise<void> {
  for (const word of [...WORDS, "w7", "w229"]) {
    assert.deepEqual(await search(chat, word), listMatches(model, word), `${word} ${when}`);
  }
}

async function assertConsistent(chat: TestChat, channelId: number): Promise<void> {
  const problems: string[] = [];
  const of = { realmId: chat.realm.id, channelIds: new Set([1, channelId]) };
  await checkMessages(chat.services.store.kv, of, (problem) => void problems.push(problem));
  assert.deepEqual(problems, []);
}

Deno.test("searches are exact while messages change and processes that index them end anywhere", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      await using chat = await startChat();
      const to = await makeChannel(chat, "Garden");
      const model: Model = new Map();
      for (const [number, each] of steps.entries()) {
        await takeStep(chat, { to, model }, each);
        await assertExact(chat, model, `after step ${number}`);
        await assertConsistent(chat, to);
      }
      await indexWords(chat);
      assert.equal(await countChanges(chat), 0);
      await assertExact(chat, model, "at the end");
      await assertConsistent(chat, to);
    }),
    numberOfRuns(20),
  );
});
