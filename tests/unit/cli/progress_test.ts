import assert from "node:assert/strict";
import { createProgress, formatProgress } from "@/lib/cli/progress.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";

/** Shows work of 30 steps a second for some seconds and returns what was written. */
function show(seconds: number, { isTerminal }: { readonly isTerminal: boolean }): string {
  const clock = createFakeClock();
  let text = "";
  const output = {
    isTerminal: () => isTerminal,
    writeSync: (bytes: Uint8Array) => {
      text += new TextDecoder().decode(bytes);
      return bytes.length;
    },
  };
  const work = { label: "Copying", total: null, isQuietAtFirst: true };
  const progress = createProgress(output, clock, work);
  for (let second = 0; second < seconds; second++) {
    clock.time += 1000;
    progress.advance(30);
  }
  progress.finish();
  return text;
}

Deno.test("a command that ends quickly shows no progress", () => {
  assert.equal(show(0, { isTerminal: true }), "");
  assert.equal(show(4, { isTerminal: false }), "");
});

Deno.test("progress of work whose amount is not known is a number and a rate", () => {
  assert.equal(
    show(11, { isTerminal: false }),
    "Copying: 150, 30/s\nCopying: 300, 30/s\nCopying: 330, 30/s\n",
  );
  assert.equal(show(2, { isTerminal: true }), "\r\x1b[KCopying 30, 30/s\r\x1b[KCopying 60, 30/s\r\x1b[K");
});

Deno.test("progress names its unit", () => {
  const state = { done: 30, total: 120, seconds: 2, unit: "MB" };
  assert.equal(formatProgress(state), "25 %, 15 MB/s, 6 s left");
});
