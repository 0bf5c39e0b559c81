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
/** Enough words that a round takes several commits. */
const MANY = Array.from({ length: 230 }, (_, number) => `w${number}`).join(" ");

const content = fc.array(fc.constantFrom(...WORDS, MANY), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(" "));
const at = fc.nat({ max: 20 });
/** Number of commits after which a process ends; a round rarely has as many as the most. */
const commits = fc.integer({ min: 1, max: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("send" as const), content }),
  fc.record({ kind: fc.constant("edit" as const), at, content }),
  fc.record({ kind: fc.constant("delete" as const), at }),
  fc.record({ kind: fc.constant("index" as const), commits }),
  // The steps of a race run at once.
  fc.record({ kind: fc.constant("race" as const), at, content, commits }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Thrown in place of the end of a process. */
class ProcessEnded extends Error {}

/** Indexes as a process that ends after a number of commits. */
async function indexAndEnd({ services, realm }: TestChat, commits: number): Promise<void> {
  let left = commits;
  const rest = () => --left > 0 ? Promise.resolve() : Promise.reject(new ProcessEnded());
  const index = await openWordIndex(services.store, realm.id, { name: `ends after ${commits}`, rest });
  try {
    await applyWordChanges(index);
    await indexLatest(index, 1);
  } catch (error) {
    if (!(error instanceof ProcessEnded || error instanceof IndexConflict)) throw error;
  }
}

/** Messages by id, as the model knows them. */
type Model = Map<number, string>;

function idAt(model: Model, at: number): number | undefined {
  return [...model.keys()][at % Math.max(1, model.size)];
}

async function takeStep(chat: TestChat, { to, model }: { to: number; model: Model }, step: Step) {
  if (step.kind === "index") return await indexAndEnd(chat, step.commits);
  if (step.kind === "send") {
    model.set(await send(chat, chat.owner, { to, content: step.content }), step.content);
    return;
  }
  const id = idAt(model, step.at);
  if (id === undefined) return;
  if (step.kind === "delete") {
    await succeed(chat, chat.owner, `DELETE /messages/${id}`);
    model.delete(id);
    return;
  }
  const edit = succeed(chat, chat.owner, `PATCH /messages/${id}`, { content: step.content });
  if (step.kind === "race") {
    const others = [indexAndEnd(chat, step.commits), indexAndEnd(chat, step.commits + 1)];
    const word = WORDS[step.at % WORDS.length] ?? "";
    const [found] = await Promise.all([search(chat, word), edit, ...others]);
    const rest = listMatches(model, word).filter((each) => each !== id);
    assert.deepEqual(found.filter((each) => each !== id), rest, `search of ${word} during a race`);
  }
  await edit;
  model.set(id, step.content);
}

async function search(chat: TestChat, word: string): Promise<number[]> {
  return await fetchMessageIds(chat, chat.owner, { narrow: [["search", word]] });
}

function listMatches(model: Model, word: string): number[] {
  return [...model].filter(([, content]) => content.split(" ").includes(word)).map(([id]) => id);
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
