import assert from "node:assert/strict";
import { parseLinkifiers } from "@/lib/admin/pages/linkifiers/parse_linkifiers.ts";
import { MAX_IMPORTED_LINKIFIERS } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { compilePattern } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";

/** Longest processor time of a refusal, in milliseconds; hostile texts took from 350 to 1,300. */
const MAX_MS = 250;

function assertQuick(work: () => unknown, title: string): void {
  let leastMs = Infinity;
  for (let attempt = 0; attempt < 5 && leastMs > MAX_MS; attempt++) {
    const start = readThreadMs();
    work();
    leastMs = Math.min(leastMs, readThreadMs() - start);
  }
  assert.ok(leastMs <= MAX_MS, `${title}: ${leastMs} ms`);
}

Deno.test("compilePattern() refuses a pattern that is too long before compiling it", () => {
  for (const pattern of ["x".repeat(1001), "(a)".repeat(17_000), "a|".repeat(25_000)]) {
    assert.deepEqual(compilePattern(pattern), { problem: "it is too large" });
  }
  assert.ok(!("problem" in compilePattern("😀".repeat(200))));
});

Deno.test("parseLinkifiers() checks no more items than can be imported", () => {
  const item = '{"pattern":"a","url_template":"b"}';
  const wrong = (length: number) => `[${"1,".repeat(length)}1]`;
  for (
    const [title, text] of [
      ["numbers", wrong(500_000)],
      ["numbers in an object", `{"linkifiers":${wrong(500_000)}}`],
      ["alternatives", `[{"pattern":"a","url_template":"b","alternative_url_templates":${wrong(500_000)}}]`],
      ["columns", `${"a,".repeat(500_000)}\n${"1,\n".repeat(1000)}`],
      ["rows", `pattern,url_template\n${"a,b\n".repeat(250_000)}`],
    ] as const
  ) assertQuick(() => parseLinkifiers(text), title);
  for (const count of [1, MAX_IMPORTED_LINKIFIERS, 5000]) {
    const expected = Math.min(count, MAX_IMPORTED_LINKIFIERS + 1);
    assert.equal(parseLinkifiers(`[${Array(count).fill(item).join()}]`)?.length, expected);
    assert.equal(parseLinkifiers(`pattern,url_template\n${"a,b\n".repeat(count)}`)?.length, expected);
  }
});

Deno.test("parseLinkifiers() skips rows without text", () => {
  const text = "\ufeffpattern;url_template\r\n;\r\na;https://a.example\r\n ; \r\n;\r\n";
  assert.deepEqual(parseLinkifiers(text)?.map(({ pattern }) => pattern), ["a"]);
});
