import { DatabaseSync } from "node:sqlite";
import { waitFor } from "./wait.ts";

/** Bytes in a block of `ulimit -f`. */
const BLOCK = 512;

/** Returns shell commands that limit a server's files in size: writes beyond it fail as on a full disk. */
export function limitFileSize(bytes: number): string {
  return `trap '' XFSZ; ulimit -f ${bytes / BLOCK}`;
}

/** Moves a store's log into its main file, so that a server whose files are limited has room again. */
export async function emptyLog(path: string): Promise<void> {
  using database = new DatabaseSync(path);
  const checkpoint = database.prepare("pragma wal_checkpoint(truncate)");
  await waitFor("the store's log is empty", () => checkpoint.get(), { isMet: (row) => row?.["busy"] === 0 });
}
