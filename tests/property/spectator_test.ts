import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import type { Sent, TestChat } from "@/tests/helpers/chat.ts";
import { makeChannel, send, sendDirect } from "@/tests/api/chat/messages_cast.ts";
import { askOpen, setSpectators, startOpenChat } from "@/tests/api/chat/spectator_cast.ts";

const KINDS: readonly Sent[] = [{}, { invite_only: true }, { is_web_public: true }, { is_web_public: true }];

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

/** What there is, as a naive reader of all that happened knows it. */
interface Model {
  readonly channels: { readonly id: number; isOpen: boolean; isArchived: boolean }[];
  /** Where each message is; null in conversations. */
  readonly places: Map<number, number | null>;
  isAllowed: boolean;
}

/** Does one step on both sides; what the server refuses has not happened. */
async function take(chat: TestChat, model: Model, step: Step): Promise<void> {
  if (step.kind === "direct") {
    model.places.set(await sendDirect(chat, chat.owner, [chat.member], "direct"), null);
  } else if (step.kind === "allow") {
    await setSpectators(chat, step.isAllowed);
    model.isAllowed = step.isAllowed;
  } else if (step.kind === "delete") {
    const id = [...model.places.keys()][step.at];
    if (id !== undefined && await isDone(chat, `DELETE /messages/${id}`)) model.places.delete(id);
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
      model.places.set(await send(chat, chat.owner, { to: channel.id, content: "said" }), channel.id);
    }
  } else if (step.kind === "move") {
    const [id, place] = [...model.places][step.at] ?? [];
    const to = { stream_id: channel.id };
    if (id === undefined || place === null) return;
    if (await isDone(chat, `PATCH /messages/${id}`, to)) model.places.set(id, channel.id);
  } else if (step.kind === "archive") {
    if (await isDone(chat, `DELETE /streams/${channel.id}`)) channel.isArchived = true;
  } else {
    const wanted = { is_web_public: step.isOpen, ...(step.isOpen ? { is_private: false } : {}) };
    if (await isDone(chat, `PATCH /streams/${channel.id}`, wanted)) channel.isOpen = step.isOpen;
  }
}

async function isDone(chat: TestChat, endpoint: string, params: Sent = {}): Promise<boolean> {
  return (await chat.call(chat.owner, endpoint, params)).status === 200;
}

Deno.test("spectators are given exactly the messages of channels that are open, whatever was done", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await using chat = await startOpenChat();
      const channels = [];
      for (const [at, kind] of KINDS.entries()) {
        const id = await makeChannel(chat, `channel ${at}`, kind);
        channels.push({ id, isOpen: kind["is_web_public"] === true, isArchived: false });
      }
      const model: Model = { channels, places: new Map(), isAllowed: true };
      for (const one of steps) await take(chat, model, one);
      const open = new Set(channels.filter((one) => one.isOpen && !one.isArchived).map(({ id }) => id));
      const wanted = [...model.places].filter(([, place]) => model.isAllowed && open.has(place ?? 0))
        .map(([id]) => id).sort((one, other) => one - other);
      const { status, body } = await askOpen(chat);
      assert.equal(status, model.isAllowed ? 200 : 401);
      const given: { id: number; stream_id: number }[] = body["messages"] ?? [];
      assert.deepEqual(given.map(({ id }) => id).filter((id) => model.places.has(id)), wanted);
      assert.ok(given.every(({ stream_id }) => open.has(stream_id)), "what the server itself says, too");
      for (const id of model.places.keys()) {
        const one = await chat.call(null, `GET /messages/${id}`);
        assert.equal(one.status, wanted.includes(id) ? 200 : 401);
      }
    }),
    { numRuns: 15 },
  );
});
