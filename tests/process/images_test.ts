import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import { toThumbnailPath } from "@/lib/chat/organization/files/model.ts";
import { compressedChunks, craftPng } from "@/tests/casts/crafted_images_cast.ts";
import { createGardeners } from "@/tests/helpers/command_calls.ts";
import { measurePeakGrowth } from "@/tests/helpers/peak_memory.ts";
import { TestServer } from "@/tests/helpers/server.ts";

const MIB = 1024 * 1024;
/** Memory that any of these images may take; a photo of 12 megapixels takes 140 MiB. */
const MAX_GROWTH = 140 * MIB;
/** Paths that take a picture, by what it becomes. */
const PATHS = {
  avatar: "/api/v1/users/me/avatar",
  icon: "/api/v1/realm/icon",
  emoji: "/api/v1/realm/emoji/",
  thumbnail: "/api/v1/user_uploads",
};

/** A server and the credentials of its owner. */
class Uploader implements AsyncDisposable {
  private constructor(private readonly server: TestServer, private readonly authorization: string) {}

  static async start(): Promise<Uploader> {
    const server = await TestServer.start();
    const { email, api_key } = await createGardeners(server.store, { email: "ada@example.com", name: "Ada" });
    return new Uploader(server, basic(email, api_key));
  }

  /** Uploads an image and returns the status; of a file, that of its thumbnail. */
  async send(use: keyof typeof PATHS, content: Uint8Array<ArrayBuffer>): Promise<number> {
    const body = new FormData();
    body.append("file", new Blob([content], { type: "image/png" }), "a.png");
    const headers = { authorization: this.authorization };
    const path = use === "emoji" ? `${PATHS.emoji}${crypto.randomUUID()}` : PATHS[use];
    const response = await this.server.fetch(path, { method: "POST", headers, body });
    const { url } = await response.json();
    if (use !== "thumbnail") return response.status;
    const thumbnail = await this.server.fetch(toThumbnailPath(url), { headers });
    await thumbnail.body?.cancel();
    return thumbnail.status;
  }

  /** Uploads an image and returns the status; it must not take more memory than a photo. */
  async sendMeasured(use: keyof typeof PATHS, content: Uint8Array<ArrayBuffer>): Promise<number> {
    let status = 0;
    const growth = await measurePeakGrowth(this.server.pid, async () => {
      status = await this.send(use, content);
    });
    assert.ok(growth < MAX_GROWTH, `${use}: ${Math.round(growth / MIB)} MiB`);
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

Deno.test("the pictures made of a long image take no more memory than a photo", async () => {
  await using uploader = await Uploader.start();
  await uploader.send("avatar", craftPng({ width: 64, height: 64 }));
  const line = { width: 60_000, height: 1 };
  for (const use of ["avatar", "icon", "emoji", "thumbnail"] as const) {
    assert.equal(await uploader.sendMeasured(use, craftPng(line)), 200, use);
  }
  for (const size of [{ width: 100, height: 250_000 }, { width: 25_000_000, height: 1 }]) {
    for (const use of ["avatar", "icon", "emoji"] as const) {
      assert.equal(await uploader.sendMeasured(use, craftPng(size)), 400, use);
    }
    assert.equal(await uploader.sendMeasured("thumbnail", craftPng(size)), 404);
  }
});

Deno.test("compressed metadata of an image is not decompressed", async () => {
  await using uploader = await Uploader.start();
  const size = { width: 64, height: 64 };
  await uploader.send("avatar", craftPng(size));
  for (const chunk of Object.values(compressedChunks())) {
    for (const use of ["avatar", "emoji", "thumbnail"] as const) {
      assert.equal(await uploader.sendMeasured(use, craftPng({ ...size, chunks: [chunk] })), 200);
      assert.equal(await uploader.sendMeasured(use, craftPng({ ...size, lastChunks: [chunk] })), 200);
    }
  }
});
