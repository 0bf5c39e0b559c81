import assert from "node:assert/strict";
import { isMovedAlong, PROPAGATE_MODES } from "@/lib/chat/messages/edit_rules.ts";

Deno.test("isMovedAlong() depends on the propagate mode", () => {
  const moved = PROPAGATE_MODES.map((mode) =>
    [4, 5, 6].filter((id) => isMovedAlong(mode, { editedId: 5, id }))
  );
  assert.deepEqual(moved, [[5], [5, 6], [4, 5, 6]]);
});
