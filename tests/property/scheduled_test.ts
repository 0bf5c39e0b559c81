import assert from "node:assert/strict";
import { createChatApp } from "@/lib/chat/register/create_app.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Worker } from "@/lib/core/worker.ts";
import { fetchContents, sendDirect } from "@/tests/casts/messages_cast.ts";
import { inSeconds, schedule } from "@/tests/casts/scheduled_cast.ts";
import { createDueWorkers } from "@/lib/services/chat_workers.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { type CommitFate, createFaultyKv } from "@/tests/helpers/faulty_kv.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** A step of a run: time passes, some servers sweep at once, or the author edits or deletes a message. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("sweep" as const), servers: fc.subarray([0, 1, 2], { minLength: 1 }) }),
  fc.record({ kind: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant("edit" as const), at: fc.nat(4) }),
  fc.record({ kind: fc.constant("delete" as const), at: fc.nat(4) }),
);
const fates = fc.infiniteStream(
  fc.constantFrom<CommitFate>("succeeds", "succeeds", "refused", "answer lost"),
);

/** Starts the workers of another server of the same store, whose commits meet the fates. */
function startServer({ services }: TestChat, draw: () => CommitFate): readonly Worker[] {
  const store = { ...services.store, kv: createFaultyKv(services.store.kv, draw) };
  const { config, passwords, secretKey } = services.chat;
  const wakeMailer = () => {};
  const app = createChatApp({ store, clock: services.clock, config, passwords, secretKey, wakeMailer });
  const report = (error: unknown) => {
    if (!(error instanceof AppError && ["UNAVAILABLE", "CONFLICT"].includes(error.code))) throw error;
  };
  const { scheduledMessages, reminders } = createDueWorkers(app, () => report);
  return [scheduledMessages, reminders];
}

async function sweepAll(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.sweep()));
}

/** A scheduled message as its author expects it. */
interface Expected {
  readonly id: number;
  content: string;
  isDeleted: boolean;
}

/** Edits or deletes a message, and records what the server acknowledged. */
async function request(chat: TestChat, kind: "edit" | "delete", message: Expected): Promise<void> {
  const path = `/scheduled_messages/${message.id}`;
  const content = `${message.content}!`;
  const { status, body } = kind === "edit"
    ? await chat.call(chat.member, `PATCH ${path}`, { content })
    : await chat.call(chat.member, `DELETE ${path}`);
  assert.ok([200, 404, 409].includes(status), JSON.stringify(body));
  if (status !== 200) return;
  if (kind === "edit") message.content = content;
  else message.isDeleted = true;
}

Deno.test("several servers send each scheduled message and reminder once, whatever happens to their commits", async () => {
  await using chat = await startChat();
  const noted = await sendDirect(chat, chat.owner, [chat.moderator], "noted");
  let run = 0;
  let reminders = 0;
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
    fc.array(step, { maxLength: 20 }),
    fates,
    async (delays, steps, stream) => {
      run++;
      let isFaulty = true;
      const draw = () => isFaulty ? stream.next().value ?? "succeeds" : "succeeds";
      const servers = [0, 1, 2].map(() => startServer(chat, draw));
      const expected: Expected[] = [];
      for (const [at, delay] of delays.entries()) {
        const content = `run ${run} message ${at}`;
        const scheduled_delivery_timestamp = inSeconds(chat, delay);
        const params = { type: "direct", to: [chat.owner.id], content, scheduled_delivery_timestamp };
        expected.push({ id: await schedule(chat, chat.member, params), content, isDeleted: false });
      }
      const scheduled_delivery_timestamp = inSeconds(chat, 5);
      await succeed(chat, chat.moderator, "POST /reminders", {
        message_id: noted,
        scheduled_delivery_timestamp,
      });
      reminders++;
      for (const one of steps) {
        if (one.kind === "pass") chat.clock.time += one.seconds * 1000;
        else if (one.kind === "sweep") await sweepAll(one.servers.flatMap((server) => servers[server] ?? []));
        else {
          const message = expected[one.at % expected.length];
          const requested = message === undefined ? [] : [request(chat, one.kind, message)];
          await Promise.all([...requested, sweepAll(servers.flat())]);
        }
      }
      isFaulty = false;
      chat.clock.time += 31_000;
      await sweepAll(servers.flat());
      const sent = (await fetchContents(chat, chat.member, ["is", "dm"]))
        .filter((content) => content.startsWith(`run ${run} `));
      const wanted = expected.filter(({ isDeleted }) => !isDeleted).map(({ content }) => content);
      assert.deepEqual(sent.sort(), wanted.sort());
      const notices = await fetchContents(chat, chat.moderator, ["is", "dm"]);
      assert.equal(notices.filter((content) => content.startsWith("You requested")).length, reminders);
    },
  );
  await fc.assert(property, numberOfRuns(15));
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});
