import assert from "node:assert/strict";
import { z } from "zod";
import {
  bool,
  boundedString,
  choice,
  int,
  intChoice,
  intList,
  json,
  type Param,
  text,
  textOrJson,
  trimmed,
} from "@/lib/chat/organization/params/param.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { registerParams } from "@/lib/chat/register/register.ts";
import { createDraftsParams } from "@/lib/chat/messages/drafts.ts";
import { fetchMessagesParams } from "@/lib/chat/messages/narrow/api.ts";
import { updateStorageParams } from "@/lib/chat/people/bot_storage.ts";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";

/** Bytes of the largest form. */
const FORM = 1024 * 1024;
/** Processor time in milliseconds within which any refusal is made. */
const MAX_MS = 50;
/** Measurements before a refusal counts as slow. */
const ATTEMPTS = 5;

/** Texts that make parsers slow, each as long as the largest form. */
const HOSTILE: ReadonlyMap<string, string> = new Map([
  ["brackets", "[".repeat(FORM)],
  ["closed brackets", "[".repeat(FORM / 2) + "]".repeat(FORM / 2)],
  ["objects", '{"a":'.repeat(FORM / 5)],
  ["booleans", `[${fill("true,")}1]`],
  ["integers", `[${fill("1,")}1]`],
  ["fractions", `[${fill("1.0,")}1]`],
  ["texts", `[${fill('"",')}""]`],
  ["objects in a list", `[${fill("{},")}{}]`],
  ["lists of two", `[${fill("[1,2],")}0]`],
  ["members", `{${fill('"a":1,')}"b":1}`],
  ["digits", "9".repeat(FORM)],
  ["quotes", '"'.repeat(FORM)],
  ["escaped quotes", `["${'\\"'.repeat(FORM / 2)}`],
  ["spaces", " ".repeat(FORM)],
  ["spaces before a letter", " ".repeat(FORM) + "x"],
  ["NUL", "\0".repeat(FORM)],
  ["letters", "a".repeat(FORM)],
  ["a long text", JSON.stringify("é".repeat(FORM / 2))],
  ["texts in a list", JSON.stringify([fill("é"), fill("a")])],
  ["commas", ",".repeat(FORM)],
  ["most integers", `[${"1,".repeat(59_998)}"x"]`],
  ["most texts", `[${'"a",'.repeat(59_998)}1]`],
  ["most fractions", `[${"1.0,".repeat(4998)}1]`],
  ["most objects", `[${"{},".repeat(29_999)}1]`],
]);

function fill(part: string): string {
  return part.repeat(Math.floor(FORM / part.length));
}

const EVERY_KIND: Readonly<Record<string, Param<unknown>>> = {
  int: int(),
  bool: bool(),
  choice: choice(["a", "b"]),
  intChoice: intChoice([1, 2]),
  intList: intList(),
  text: text(),
  short: text({ max: 60, min: 1 }),
  trimmed: trimmed({ min: 1 }),
  either: textOrJson(z.union([z.int(), z.array(z.int())])),
  texts: json(z.array(boundedString({ max: 60, min: 1 }))),
  unions: json(z.array(z.union([z.boolean(), z.object({ a: boundedString() })]))),
  ...createDraftsParams,
  ...updateStorageParams,
  ...registerParams,
  fetchNarrow: fetchMessagesParams.narrow,
  anchor: fetchMessagesParams.anchor,
  message_ids: fetchMessagesParams.message_ids,
};

/** Returns the processor time that reading takes, and whether it was refused. */
function measure(name: string, param: Param<unknown>, sent: string): { ms: number; isRefused: boolean } {
  const start = readThreadMs();
  try {
    readParams({ [name]: param }, new Map([[name, sent]]));
    return { ms: readThreadMs() - start, isRefused: false };
  } catch {
    return { ms: readThreadMs() - start, isRefused: true };
  }
}

for (const [title, sent] of HOSTILE) {
  Deno.test(`readParams() refuses ${title} of the length of a form at little cost`, () => {
    for (const [name, param] of Object.entries(EVERY_KIND)) {
      let least = Infinity;
      for (let attempt = 0; attempt < ATTEMPTS && least > MAX_MS; attempt++) {
        const { ms, isRefused } = measure(name, param, sent);
        least = isRefused ? Math.min(least, ms) : 0;
      }
      assert.ok(least <= MAX_MS, `${name} takes ${least.toFixed(1)} ms`);
    }
  });
}
