import assert from "node:assert/strict";
import { toThumbnailPath } from "@/lib/chat/organization/files/model.ts";
import { encodePng } from "@/lib/core/png.ts";
import { download, upload } from "@/tests/casts/files_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { measureBaseline, measureLongestBlock, readThreadMs } from "@/tests/helpers/event_loop.ts";

/** Longest block in multiples of the baseline, as for other requests. */
const MAX_RATIO = 4;
/** Measurements before a thumbnail counts as blocking. */
const ATTEMPTS = 8;
/** Side of an image whose decoding takes many times as long as the baseline. */
const SIDE = 3000;

Deno.test("making a thumbnail of a large image does not block the event loop for long", async () => {
  await using chat = await startChat();
  const pixels = new Uint8Array(SIDE * SIDE);
  const content = await encodePng({ size: SIDE, palette: [[0, 80, 40]], pixels });
  const measure = async () => {
    const { body } = await upload(chat, chat.member, { name: "a.png", content, type: "image/png" });
    const make = async () => {
      const response = await download(chat, chat.member, toThumbnailPath(body["url"]));
      assert.equal(response.status, 200);
      return (await response.bytes()).length;
    };
    return await measureLongestBlock(make, readThreadMs) / await measureBaseline(readThreadMs);
  };
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least > MAX_RATIO; attempt++) {
    least = Math.min(least, await measure());
  }
  assert.ok(least <= MAX_RATIO, `blocks ${least.toFixed(1)} times as long as the baseline`);
});
