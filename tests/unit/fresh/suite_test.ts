import assert from "node:assert/strict";

const ROOT = new URL("../../../", import.meta.url);
/** Fresh and what it renders with, the test runner's own modules, and helpers of the suite. */
const ALLOWED = /^(?:fresh(?:\/.+)?|preact|node:.+|playwright-core|.*\/(?:fresh_project_cast|helpers)\.ts)$/;

Deno.test("this suite imports nothing of an implementation of Fresh, so that it holds on each", async () => {
  const files = ["tests/browser/fresh_islands_test.ts", "tests/casts/fresh_project_cast.ts"];
  for await (const { name } of Deno.readDir(new URL("tests/unit/fresh/", ROOT))) {
    if (name.endsWith("_test.ts")) files.push(`tests/unit/fresh/${name}`);
  }
  assert.ok(files.length > 5);
  for (const file of files) {
    const text = await Deno.readTextFile(new URL(file, ROOT));
    const specifiers = [...text.matchAll(/^import (?:[^;"]* from )?"([^"]+)";$/gm)].map(([, name = ""]) =>
      name
    );
    assert.ok(specifiers.length > 0, file);
    assert.deepEqual(specifiers.filter((name) => !ALLOWED.test(name)), [], file);
  }
});
