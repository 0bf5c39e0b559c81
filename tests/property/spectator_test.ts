import assert from "node:assert/strict";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { fetchOpenMessages, setSpectatorAccess, startOpenChat } from "@/tests/casts/spectator_cast.ts";
import type { TestChat, TestParams } from "@/tests/helpers/chat.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";

const KINDS: readonly TestParams[] = [{}, { invite_only: true }, { is_web_public: true }, {
  is_web_public: true,
}];

const at = fc.nat({ max: 30 });
const channelAt = fc.nat({ max: KINDS.length - 1 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("send" as const), channelAt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("direct" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move" as const), at, channelAt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("open" as const), channelAt, isOpen: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("archive" as const), channelAt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("allow" as const), isAllowed: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** State of the channels and messages after all steps. */
interface Model {
  readonly channels: { readonly id: number; isOpen: boolean; isArchived: boolean }[];
  /** Channel id of each message; null in conversations. */
  readonly channelIds: Map<number, number | null>;
  isAllowed: boolean;
}

/** Takes one step on the server and in the model; the model ignores refused steps. */
async function take(chat: TestChat, model: Model, step: Step): Promise<void> {
  if (step.kind === "direct") {
    model.channelIds.set(await sendDirect(chat, chat.owner, [chat.member], "direct"), null);
  } else if (step.kind === "allow") {
    await setSpectatorAccess(chat, step.isAllowed);
    model.isAllowed = step.isAllowed;
  } else if (step.kind === "delete") {
    const id = [...model.channelIds.keys()][step.at];
    if (id !== undefined && await isDone(chat, `DELETE /messages/${id}`)) model.channelIds.delete(id);
  } else await takeInChannel(chat, model, step);
}

async function takeInChannel(
  chat: TestChat,
  model: Model,
  step: Extract<Step, { channelAt: number }>,
): Promise<void> {
  const channel = model.channels[step.channelAt];
  assert.ok(channel !== undefined);
  if (step.kind === "send") {
    if (!channel.isArchived) {
      model.channelIds.set(await send(chat, chat.owner, { to: channel.id, content: "said" }), channel.id);
    }
  } else if (step.kind === "move") {
    const [id, channelId] = [...model.channelIds][step.at] ?? [];
    const to = { stream_id: channel.id };
    if (id === undefined || channelId === null) return;
    if (await isDone(chat, `PATCH /messages/${id}`, to)) model.channelIds.set(id, channel.id);
  } else if (step.kind === "archive") {
    if (await isDone(chat, `DELETE /streams/${channel.id}`)) channel.isArchived = true;
  } else {
    const wanted = { is_web_public: step.isOpen, ...(step.isOpen ? { is_private: false } : {}) };
    if (await isDone(chat, `PATCH /streams/${channel.id}`, wanted)) channel.isOpen = step.isOpen;
  }
}

async function isDone(chat: TestChat, endpoint: string, params: TestParams = {}): Promise<boolean> {
  return (await chat.call(chat.owner, endpoint, params)).status === 200;
}

Deno.test("spectators receive exactly the messages of open channels, after any operations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await using chat = await startOpenChat();
      const channels = [];
      for (const [at, kind] of KINDS.entries()) {
        const id = await makeChannel(chat, `channel ${at}`, kind);
        channels.push({ id, isOpen: kind["is_web_public"] === true, isArchived: false });
      }
      const model: Model = { channels, channelIds: new Map(), isAllowed: true };
      for (const one of steps) await take(chat, model, one);
      const open = new Set(channels.filter((one) => one.isOpen && !one.isArchived).map(({ id }) => id));
      const wanted = [...model.channelIds].filter(([, channelId]) =>
        model.isAllowed && open.has(channelId ?? 0)
      )
        .map(([id]) => id).sort((one, other) => one - other);
      const { status, body } = await fetchOpenMessages(chat);
      assert.equal(status, model.isAllowed ? 200 : 401);
      const received: { id: number; stream_id: number }[] = body["messages"] ?? [];
      assert.deepEqual(received.map(({ id }) => id).filter((id) => model.channelIds.has(id)), wanted);
      assert.ok(
        received.every(({ stream_id }) => open.has(stream_id)),
        "including messages of the server itself",
      );
      for (const id of model.channelIds.keys()) {
        const one = await chat.call(null, `GET /messages/${id}`);
        assert.equal(one.status, wanted.includes(id) ? 200 : 401);
      }
    }),
    numberOfRuns(10),
  );
});
