import assert from "node:assert/strict";
import { taskFlags, TestServer } from "../helpers/server.ts";
import { createTestFolder } from "../helpers/store.ts";

/** Leaves two errors unhandled on a signal. */
const PRELOADED = `Deno.addSignalListener("SIGUSR1", () => {
  Promise.reject(new Error("rejected"));
  throw new Error("thrown");
});`;

Deno.test("a server logs and counts errors that nothing handles, and goes on", async () => {
  await using folder = await createTestFolder();
  const preloaded = `${folder.path}/preloaded.js`;
  await Deno.writeTextFile(preloaded, PRELOADED);
  const flags = [...taskFlags("start", "main.ts"), `--preload=${preloaded}`];
  await using server = await TestServer.start({ flags });
  assert.equal(await server.metric("sotto_unhandled_errors_total"), 0);
  Deno.kill(server.pid, "SIGUSR1");
  const read = () => server.metric("sotto_unhandled_errors_total");
  await server.waitFor("both errors are counted", read, (count) => count === 2);
  assert.equal((await server.fetch("/health")).status, 200);
  await assert.rejects(server.stop(), /Unhandled error/);
  for (const cause of ["rejected", "thrown"]) {
    assert.match(server.output, new RegExp(`"level":"error","message":"unhandled error","cause":"${cause}"`));
  }
  assert.equal(server.errors, "");
});
