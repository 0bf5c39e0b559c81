import assert from "node:assert/strict";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createLog, type Log } from "@/lib/services/log.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** One write of the log: it ends at once, soon, or when a step releases it, or fails. */
type Write = "at once" | "microtask" | "turn" | "held" | "fails" | "throws";

type Step = "line" | "long line" | "many lines" | "flush" | "microtask" | "turn" | "release" | "timer";

const writes = fc.constantFrom<Write>("at once", "microtask", "turn", "held", "held", "fails", "throws");
const steps = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Step>("line", "line", "flush", "microtask", "turn", "release") },
  { weight: 1, arbitrary: fc.constantFrom<Step>("long line", "many lines", "timer") },
);

/** Longer than the lines that a write waits for. */
const LONG = "x".repeat(70_000);
/** More lines than may wait. */
const MANY = 70;
/** Milliseconds after which a log has stopped, many times what a line waits for others. */
const STOPPED_MS = 20_000;

/** A log and all that reached its reader. */
class Reading {
  readonly log: Log;
  #text = "";
  #added = 0;
  #held: (() => void)[] = [];
  readonly #writes: Write[];

  constructor(writes: readonly Write[]) {
    this.#writes = [...writes];
    this.log = createLog((bytes) => {
      const write = this.#writes.shift() ?? "at once";
      if (write === "throws") throw new Error("no such file");
      return this.#write(write, bytes);
    }, () => 0);
  }

  get added(): number {
    return this.#added;
  }

  /** Lines that were written: those that were added with their number, and reports of dropped ones. */
  get lines(): { at?: number; dropped?: number }[] {
    return this.#text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  async take(step: Step): Promise<void> {
    if (step === "line") this.#add("");
    if (step === "long line") this.#add(LONG);
    if (step === "many lines") { for (let count = 0; count < MANY; count++) this.#add(LONG); }
    if (step === "flush") this.log.flush();
    if (step === "microtask") await null;
    if (step === "turn") await yieldToEventLoop();
    if (step === "release") this.#held.shift()?.();
    if (step === "timer") await this.#untilWritten();
  }

  /** Waits until the timer of the log has written everything. */
  async #untilWritten(): Promise<void> {
    await waitFor("nothing waits", () => {
      this.#held.shift()?.();
      return this.log.counts().waiting === 0;
    }, { giveUpMs: STOPPED_MS });
  }

  #add(text: string): void {
    this.log.event("info", text, { at: this.#added++ });
  }

  async #write(write: Write, bytes: Uint8Array): Promise<void> {
    if (write === "microtask") await null;
    if (write === "turn") await yieldToEventLoop();
    if (write === "held") await new Promise<void>((resolve) => this.#held.push(resolve));
    if (write === "fails") throw new Error("broken pipe");
    this.#text += new TextDecoder().decode(bytes);
  }
}

Deno.test("each line of the log is written once and in order, or counted as dropped", async () => {
  const property = fc.asyncProperty(
    fc.array(steps, { maxLength: 40 }),
    fc.array(writes, { maxLength: 12 }),
    async (sequence, behaviors) => {
      const reading = new Reading(behaviors);
      for (const step of [...sequence, "line", "timer"] as const) await reading.take(step);

      const { lines, added } = reading;
      const written = lines.flatMap(({ at }) => at ?? []);
      assert.deepEqual(written, [...new Set(written)].toSorted((one, other) => one - other));
      const counts = reading.log.counts();
      assert.equal(counts.written, lines.length);
      const dropped = counts.dropped - lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
      assert.ok(added - written.length <= counts.dropped, "every line that is missing was counted");
      assert.ok(dropped >= 0, "no line is reported twice");
      assert.ok(counts.written + counts.dropped >= added);
    },
  );
  await fc.assert(property, numberOfRuns(40));
});

Deno.test("a log goes on after a timer that fires when nothing waits any more", async () => {
  const reading = new Reading(["held", "turn"]);
  for (const step of ["line", "flush", "turn", "line", "release", "turn"] as const) await reading.take(step);
  await reading.log.flush();
  await reading.log.flush();
  for (const step of ["line", "timer"] as const) await reading.take(step);
  assert.deepEqual(reading.lines.map(({ at }) => at), [0, 1, 2]);
});
