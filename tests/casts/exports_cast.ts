import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { extract } from "tar-stream";
import { download } from "@/tests/casts/files_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** A data export as the API lists it. */
export interface ListedExport {
  readonly id: number;
  readonly acting_user_id: number;
  readonly export_time: number;
  readonly deleted_timestamp: number | null;
  readonly failed_timestamp: number | null;
  readonly export_url: string | null;
  readonly pending: boolean;
  readonly export_type: string;
}

/** The files of an unpacked archive, by their paths. */
export class UnpackedArchive {
  constructor(readonly files: ReadonlyMap<string, Uint8Array>) {}

  /** Returns a file as text. */
  text(path: string): string {
    return new TextDecoder().decode(this.files.get(path) ?? assert.fail(`${path} is missing`));
  }

  /** Returns the objects of a file of lines. */
  // deno-lint-ignore no-explicit-any
  rows(path: string): Record<string, any>[] {
    return this.text(path).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  /** Returns the manifest, whose sizes and digests must be those of the files. */
  // deno-lint-ignore no-explicit-any
  manifest(): Record<string, any> {
    const manifest = JSON.parse(this.text("manifest.json"));
    const found = [...this.files].filter(([path]) => path !== "manifest.json").map(([path, bytes]) => ({
      path,
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    }));
    const listed: { path: string; size: number; sha256: string }[] = manifest.files;
    assert.deepEqual(listed.map(({ path, size, sha256 }) => ({ path, size, sha256 })), found);
    return manifest;
  }

  /** Returns whether any file contains a text. */
  contains(text: string): boolean {
    return [...this.files].some(([path, bytes]) =>
      `${path}\n${new TextDecoder().decode(bytes)}`.includes(text)
    );
  }
}

/** Unpacks a compressed archive. */
export async function unpack(content: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<UnpackedArchive> {
  const files = new Map<string, Uint8Array>();
  const entries = Readable.from(content.pipeThrough(new DecompressionStream("gzip"))).pipe(extract());
  for await (const entry of entries) {
    assert.ok(!files.has(entry.header.name), entry.header.name);
    files.set(entry.header.name, new Uint8Array(Buffer.concat(await Array.fromAsync(entry))));
  }
  return new UnpackedArchive(files);
}

/** Requests an export and returns its id. */
export async function requestExport(chat: TestChat, by: TestUser, export_type = "public"): Promise<number> {
  return (await succeed(chat, by, "POST /export/realm", { export_type })).id;
}

/** Lists the exports of an organization. */
export async function listExports(chat: TestChat, by: TestUser): Promise<readonly ListedExport[]> {
  return (await succeed(chat, by, "GET /export/realm")).exports;
}

/** Returns the path of the newest export's archive. */
export async function findArchivePath(chat: TestChat, by: TestUser): Promise<string> {
  const url = (await listExports(chat, by)).at(-1)?.export_url ?? assert.fail("There is no archive");
  return new URL(url).pathname;
}

/** Creates an export and returns its unpacked archive. */
export async function exportData(
  chat: TestChat,
  by: TestUser,
  export_type = "public",
): Promise<UnpackedArchive> {
  await requestExport(chat, by, export_type);
  assert.equal(await chat.services.exports.sweep(), 1, await chat.log());
  const response = await download(chat, by, await findArchivePath(chat, by));
  assert.equal(response.status, 200);
  return await unpack(response.body ?? assert.fail("The archive is empty"));
}
