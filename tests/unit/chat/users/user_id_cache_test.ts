import assert from "node:assert/strict";
import { createUserIdCache } from "@/lib/chat/users/user_id_cache.ts";

Deno.test("the cache of user ids drops the least recently used address of any organization", () => {
  const ids = createUserIdCache(2);
  ids.set(1, "ada@example.com", 10);
  ids.set(2, "ada@example.com", 20);
  assert.equal(ids.get(1, "ada@example.com"), 10);
  ids.set(1, "bo@example.com", 11);
  assert.equal(ids.get(2, "ada@example.com"), undefined);
  assert.deepEqual([ids.get(1, "ada@example.com"), ids.get(1, "bo@example.com")], [10, 11]);
});
