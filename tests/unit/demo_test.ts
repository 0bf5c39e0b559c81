import assert from "node:assert/strict";
import { createFakeClock } from "@/tests/helpers/app.ts";
import { createTimeline } from "@/tests/tools/demo/agenda.ts";
import {
  DEFAULT_VOLUMES,
  readOptions,
  requireUsablePassword,
  UsageError,
} from "@/tests/tools/demo/options.ts";
import { planAll } from "@/tests/tools/demo/plan_all.ts";
import { createProgress } from "@/lib/cli/progress.ts";

const NOW = Date.UTC(2026, 10, 21, 11);

Deno.test("the demo's options replace the usual volumes and refuse numbers out of range", () => {
  assert.deepEqual(readOptions([]), { volumes: DEFAULT_VOLUMES, isLarge: false, password: null });
  assert.deepEqual(readOptions(["--links", "7", "--password=x"]), {
    volumes: { ...DEFAULT_VOLUMES, links: 7 },
    isLarge: false,
    password: "x",
  });
  for (const args of [["--links", "0"], ["--messages", "many"], ["--visit-days=400"]]) {
    assert.throws(() => readOptions(args), /accepts a whole number from/);
  }
  assert.throws(() => readOptions(["--unknown"]), UsageError);
});

Deno.test("the demo refuses a password that the server would refuse for one of its people", async () => {
  await requireUsablePassword("violet kettle seldom 42");
  for (const password of ["short", "password1", "sandhar2"]) {
    await assert.rejects(
      requireUsablePassword(password),
      /^UsageError: --password: New password is too weak!$/,
    );
  }
});

Deno.test("the demo is planned the same each time, and nothing happens after its end", () => {
  const plan = () => planAll(createTimeline(NOW), { ...DEFAULT_VOLUMES, messages: 500, visits: 1000 });
  const times = plan().map(({ at }) => at);
  assert.deepEqual(plan().map(({ at }) => at), times);
  assert.ok(times.length > 1000);
  assert.deepEqual(times.filter((at) => at > NOW), []);
});

Deno.test("progress is a bar on a terminal and plain lines elsewhere, with rate and time left", () => {
  const show = (isTerminal: boolean) => {
    const clock = createFakeClock();
    let text = "";
    const output = {
      isTerminal: () => isTerminal,
      writeSync: (bytes: Uint8Array) => {
        text += new TextDecoder().decode(bytes);
        return bytes.length;
      },
    };
    const progress = createProgress(output, clock, { label: "Work", total: 400 });
    clock.time += 10_000;
    progress.advance(100);
    progress.finish();
    return text;
  };
  assert.equal(show(false), "Work: 0 %\nWork: 25 %, 10/s, 30 s left\nWork: 25 %, 10/s, 30 s left\n");
  assert.match(show(true), /Work \[#{8}\.{22}\] 25 %, 10\/s, 30 s left/);
});
