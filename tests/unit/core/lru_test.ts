import assert from "node:assert/strict";
import { createLru } from "@/lib/core/lru.ts";

Deno.test("createLru() drops the least recently used entry when it is full", () => {
  const cache = createLru<string, number>(3);
  for (const [name, value] of Object.entries({ one: 1, two: 2, three: 3 })) cache.set(name, value);
  assert.equal(cache.get("one"), 1);
  cache.set("four", 4);
  assert.deepEqual([...cache.keys()].sort(), ["four", "one", "three"]);
  assert.equal(cache.get("two"), undefined);
});
