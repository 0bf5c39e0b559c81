import assert from "node:assert/strict";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";

const SEEDS = [1, 7, 42];

/** The same sequence for the same seed: numbers from 0 up to 1. */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

for (const seed of SEEDS) {
  Deno.test(`paging up and down skips and repeats nothing while others send (seed ${seed})`, async () => {
    await using chat = await startChat();
    const draw = drawFrom(seed);
    const channel = await makeChannel(chat, "Garden");
    const sent: number[] = [];
    const sendSome = async (count: number) => {
      const people = [chat.member, chat.owner, chat.moderator];
      const sends = Array.from({ length: count }, (_, at) => {
        const user = people[Math.floor(draw() * people.length)] ?? chat.member;
        return send(chat, user, { to: channel, topic: draw() < 0.5 ? "a" : "b", content: `no. ${at}` });
      });
      sent.push(...await Promise.all(sends));
    };
    await sendSome(30);
    const page = async (params: Record<string, unknown>): Promise<number[]> => {
      const narrow = [{ operator: "topic", operand: "channel events", negated: true }];
      const [{ body }] = await Promise.all([
        chat.call(chat.moderator, "GET /messages", { include_anchor: false, narrow, ...params }),
        sent.length < 120 ? sendSome(1 + Math.floor(draw() * 4)) : Promise.resolve(),
      ]);
      return body.messages.map(({ id }: { id: number }) => id);
    };
    const walk = async (isUp: boolean): Promise<number[]> => {
      const seen: number[] = [];
      let anchor: unknown = isUp ? "oldest" : "newest";
      for (;;) {
        const size = 1 + Math.floor(draw() * 7);
        const ids = await page(
          isUp ? { anchor, num_before: 0, num_after: size } : { anchor, num_before: size, num_after: 0 },
        );
        if (ids.length === 0) return isUp ? seen : seen.reverse();
        seen.push(...(isUp ? ids : ids.toReversed()));
        anchor = isUp ? ids.at(-1) : ids[0];
      }
    };
    const down = await walk(false);
    const up = await walk(true);
    const all = sent.toSorted((one, other) => one - other);
    assert.deepEqual(up, all.slice(0, up.length), `seed ${seed}`);
    assert.ok(up.length >= 30);
    const newest = down.at(-1) ?? 0;
    assert.deepEqual(down, all.filter((id) => id <= newest), `seed ${seed}`);
  });
}
