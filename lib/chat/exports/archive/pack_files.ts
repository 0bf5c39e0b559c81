import type { Writable } from "node:stream";
import { type Pack, pack } from "tar-stream";
import { toError } from "@/lib/core/errors.ts";
import type { ByteSource } from "./transform_bytes.ts";

/** A file to put into an archive. */
export interface PackedFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly content: ByteSource;
}

/**
 * Yields the bytes of a tar archive of files, which are requested one after the other. `now` is their time of
 * modification in milliseconds since 1970 UTC.
 */
export async function* packFiles(
  files: AsyncIterable<PackedFile>,
  now: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const archive = pack();
  const packing = packAll(archive, files, new Date(now)).then(() => null, (error: unknown) => {
    archive.destroy();
    return toError(error);
  });
  try {
    for await (const piece of archive) yield new Uint8Array(piece);
  } finally {
    archive.destroy();
    const failure = await packing;
    // deno-lint-ignore no-unsafe-finally -- It is the cause of the error of the reader.
    if (failure !== null) throw failure;
  }
}

async function packAll(archive: Pack, files: AsyncIterable<PackedFile>, mtime: Date): Promise<void> {
  for await (const { path, size, content } of files) {
    const entry = archive.entry({ name: path, size, mtime, mode: 0o644 });
    entry.on("error", (error) => archive.destroy(error));
    for await (const piece of content) {
      if (!entry.write(piece)) await drained(archive, entry);
      if (archive.destroyed) throw new Error("The archive was closed before its end");
    }
    entry.end();
  }
  archive.finalize();
}

/** Settles when an entry takes more bytes, or when its archive is closed. */
function drained(archive: Pack, entry: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (archive.destroyed) return resolve();
    const go = () => {
      entry.off("drain", go);
      archive.off("close", go);
      resolve();
    };
    entry.on("drain", go);
    archive.on("close", go);
  });
}
