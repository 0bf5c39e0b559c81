import assert from "node:assert/strict";
import { FormFields } from "@/lib/admin/form_fields.ts";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";

Deno.test("FormFields returns texts without NUL characters, and names as they were sent", () => {
  const fields = new FormFields(new URLSearchParams("a=1%002&a=3%004&empty="));
  assert.equal(fields.text("a"), "34");
  assert.equal(fields.exact("a"), "3\x004");
  assert.deepEqual(fields.all("a"), ["12", "34"]);
  assert.deepEqual([fields.text("none"), fields.all("none"), fields.flag("none")], ["", [], false]);
  assert.equal(fields.flag("empty"), true);
});

Deno.test("FormFields returns what a form of many names had at little cost", () => {
  const sent = new URLSearchParams(Array.from({ length: 20_000 }, (_, at) => [`name${at}`, "x"]));
  let least = Infinity;
  for (let attempt = 0; attempt < 5 && least > 100; attempt++) {
    const start = readThreadMs();
    assert.equal(Object.keys(new FormFields(sent).typed()).length, 20_000);
    least = Math.min(least, readThreadMs() - start);
  }
  assert.ok(least <= 100, `takes ${least.toFixed(1)} ms`);
});
