import assert from "node:assert/strict";
import {
  changeFlagsParams,
  EDITABLE_FLAGS,
  MESSAGE_FLAGS,
  readFlagChange,
} from "@/lib/chat/messages/message_flags.ts";
import { readParams } from "@/lib/chat/params/read.ts";

Deno.test("people set and take away read, starred and collapsed", () => {
  for (const flag of EDITABLE_FLAGS) {
    for (const op of ["add", "remove"] as const) {
      assert.deepEqual(readFlagChange({ flag, op }), { flag, op });
    }
  }
});

Deno.test("readFlagChange() refuses the flags that follow from the message", () => {
  const fixed = MESSAGE_FLAGS.filter((flag) => !EDITABLE_FLAGS.some((editable) => editable === flag));
  assert.equal(fixed.length, 5);
  for (const flag of fixed) {
    const refusal = { code: "BAD_REQUEST", message: `Flag not editable: '${flag}'` };
    assert.throws(() => readFlagChange({ flag, op: "add" }), refusal);
  }
});

Deno.test("readFlagChange() refuses what is no flag and no operation, the flag first", () => {
  const invalidFlag = { code: "BAD_REQUEST", message: "Invalid flag: 'unread'" };
  assert.throws(() => readFlagChange({ flag: "unread", op: "toggle" }), invalidFlag);
  const invalidOperation = { code: "BAD_REQUEST", message: "Invalid message flag operation: 'toggle'" };
  assert.throws(() => readFlagChange({ flag: "read", op: "toggle" }), invalidOperation);
});

Deno.test("a change of flags needs messages, an operation and a flag", () => {
  const sent = new Map([["messages", "[1,2]"], ["op", "add"], ["flag", "read"]]);
  assert.deepEqual(readParams(changeFlagsParams, sent).values, {
    messages: [1, 2],
    op: "add",
    flag: "read",
  });
  for (const name of sent.keys()) {
    const without = new Map([...sent].filter(([each]) => each !== name));
    const refusal = { code: "REQUEST_VARIABLE_MISSING", message: `Missing '${name}' argument` };
    assert.throws(() => readParams(changeFlagsParams, without), refusal);
  }
});
