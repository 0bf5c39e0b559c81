import assert from "node:assert/strict";
import { propagateMode } from "@/lib/chat/messages/edit_rules.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";

Deno.test("propagateMode() refuses an unknown mode", () => {
  const read = (sent: string) =>
    readParams({ propagate_mode: propagateMode() }, new Map([["propagate_mode", sent]]));
  assert.equal(read("change_later").values.propagate_mode, "change_later");
  assert.throws(() => read("change_some"), /Invalid propagate_mode/);
});
