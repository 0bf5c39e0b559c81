import assert from "node:assert/strict";
import { idScheme, lastIdOf, toEventId, toStartId } from "@/lib/chat/register/events/tail.ts";

Deno.test("event ids of the embedded store ascend by commit, then by position, and are exact for a trillion commits", () => {
  const scheme = idScheme({ path: "/data/sotto.kv", location: "/data/sotto.kv" });
  const [first, later] = ["00000000000000ff0000", "00000000000001000000"];
  const ids = [
    toEventId(scheme, first, 0),
    toEventId(scheme, first, 1),
    toEventId(scheme, first, 998),
    toStartId(scheme, first),
    toEventId(scheme, later, 0),
  ];
  assert.deepEqual(ids, [255_000, 255_001, 255_998, 255_999, 256_000]);
  assert.deepEqual([255_000, 255_998, 255_999, 256_000].map((id) => lastIdOf(scheme, id)), [
    255_999,
    255_999,
    255_999,
    256_999,
  ]);
  const trillionth = (10 ** 12).toString(16).padStart(16, "0") + "0000";
  assert.ok(Number.isSafeInteger(toEventId(scheme, trillionth, 999)));
});

Deno.test("event ids of a store that counts microseconds are exact for decades, and ascend by moment", () => {
  const scheme = idScheme({ path: null, location: "the deployment's own store" });
  const century = (100 * 365 * 24 * 60 * 60 * 10 ** 6).toString(16).padStart(16, "0");
  assert.ok(Number.isSafeInteger(toEventId(scheme, `${century}001f`, 7)));
  assert.equal(toEventId(scheme, `${century}001f`, 7), toEventId(scheme, `${century}0020`, 0));
  assert.equal(lastIdOf(scheme, 1234), 1234, "all events of a moment share an id");
  assert.ok(toStartId(scheme, "00000000000000ff0001") < toEventId(scheme, "00000000000001000000", 0));
});

Deno.test("version stamps of the embedded store have no digits within a moment", async () => {
  using kv = await Deno.openKv(":memory:");
  for (let at = 0; at < 20; at++) {
    const { versionstamp } = await kv.set(["at"], at);
    assert.match(versionstamp, /^[0-9a-f]{16}0000$/);
  }
});
