import assert from "node:assert/strict";
import { Turns } from "@/lib/store/turns.ts";
import { settled } from "@/tests/helpers/wait.ts";

Deno.test("work alone waits for all before it, and all after it waits for it", async () => {
  const turns = new Turns();
  const log: string[] = [];
  const held = Promise.withResolvers<void>();
  const run = (name: string, isAlone: boolean, until: Promise<void> = Promise.resolve()) =>
    turns.run(isAlone, async () => {
      log.push(`${name} starts`);
      await until;
      log.push(`${name} ends`);
    });
  const all = [
    run("a", false, held.promise),
    run("b", false, held.promise),
    run("c", true),
    run("d", false),
  ];
  assert.deepEqual(log, ["a starts", "b starts"]);
  held.resolve();
  await settled("all have run", Promise.all(all));
  assert.deepEqual(log.slice(2), ["a ends", "b ends", "c starts", "c ends", "d starts", "d ends"]);
});

Deno.test("work that fails ends its turn", async () => {
  const turns = new Turns();
  await assert.rejects(turns.run(true, () => Promise.reject(new RangeError("broken"))), RangeError);
  assert.equal(await settled("the next runs", turns.run(true, () => Promise.resolve("ran"))), "ran");
});
