import { DatabaseSync } from "node:sqlite";

/** Returns the number of entries of an embedded store that no other process has open. */
export function countEntries(path: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare("select count(*) as entries from kv").get()?.["entries"] ?? 0);
  } finally {
    database.close();
  }
}
