import { compareNames } from "@/lib/core/compare_names.ts";
import { readCount } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { listUsers } from "./store.ts";
import { userKeys, type UserRecord } from "./user.ts";

/** All accounts of an organization at one moment, the server's own bot left out. */
export interface Directory {
  /** By name as people read it, those of one name by id. */
  readonly byName: readonly UserRecord[];
  readonly byId: ReadonlyMap<number, UserRecord>;
}

/** The accounts of an organization as they are now; they are listed and sorted anew only when one has changed. */
export async function readDirectory(app: ChatApp, realmId: number): Promise<Directory> {
  const { kv } = app.store;
  const version = Number(await readCount(kv, userKeys.version(realmId)));
  const directory = await app.caches.get(`directory ${realmId}`, version, async () => {
    const users = await listUsers(app, realmId);
    const isSettled = Number(await readCount(kv, userKeys.version(realmId))) === version;
    return { ...toDirectory(users), isSettled };
  });
  // What was listed while accounts changed is kept for nobody: the next version may already be here.
  return directory.isSettled ? directory : toDirectory(await listUsers(app, realmId));
}

function toDirectory(users: readonly UserRecord[]): Directory {
  return {
    byName: users.toSorted((one, other) => compareNames(one.full_name, other.full_name) || one.id - other.id),
    byId: new Map(users.map((user) => [user.id, user])),
  };
}
