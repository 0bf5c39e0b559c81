import assert from "node:assert/strict";
import { taskCommand } from "@/lib/core/task_command.ts";

Deno.test("taskCommand() names the program that runs, and quotes values that a shell would change", () => {
  const command = taskCommand("start", { KV_URL: "my store/sotto's.kv", PORT: "9000" });
  assert.match(
    command,
    /^KV_URL='my store\/sotto'\\''s\.kv' PORT=9000 (?:npx --yes deno@\d+\.\d+\.\d+|deno) task start$/,
  );
  assert.match(taskCommand("-q admin check"), / task -q admin check$/);
});
