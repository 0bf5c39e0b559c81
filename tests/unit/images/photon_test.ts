import assert from "node:assert/strict";
import { PhotonImage } from "@/lib/images/photon.ts";

Deno.test("the memory of the decoder has a limit", () => {
  const image = new PhotonImage(new Uint8Array(4), 1, 1);
  image.free();
  assert.throws(() => new PhotonImage(new Uint8Array(512 * 1024 * 1024), 1, 1), WebAssembly.RuntimeError);
});
