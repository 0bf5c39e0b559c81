import assert from "node:assert/strict";
import { packIds, SEGMENT_IDS, unpackIds } from "@/lib/chat/messages/word_index/store.ts";

const BASE = 7 * SEGMENT_IDS;

Deno.test("unpackIds() returns the ids that packIds() packed, ascending and once", () => {
  for (const count of [0, 1, 2, 254, 255, 256, 257, 1000, SEGMENT_IDS]) {
    const step = Math.max(1, Math.floor(SEGMENT_IDS / Math.max(1, count)));
    const ids = Array.from({ length: count }, (_, at) => BASE + at * step);
    assert.deepEqual(unpackIds(7, packIds([...ids.toReversed(), ...ids])), ids, `${count} ids`);
  }
});

Deno.test("packIds() keeps the ends of a segment and never exceeds a bitmap", () => {
  const ends = [BASE, BASE + SEGMENT_IDS - 1];
  assert.deepEqual(unpackIds(7, packIds(ends)), ends);
  assert.equal(packIds(ends).length, 4);
  const all = Array.from({ length: SEGMENT_IDS }, (_, at) => BASE + at);
  assert.equal(packIds(all).length, SEGMENT_IDS / 8);
  assert.equal(packIds(all.slice(0, 255)).length, 510);
});
