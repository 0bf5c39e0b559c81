import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { readUser } from "../users/store.ts";
import { userKeys } from "../users/user.ts";
import { toOwnBot } from "./view.ts";

/** The active bots that the caller owns, by id, with their keys. */
export async function listOwnBots(app: ChatApp, { realm, actingUser }: Caller) {
  const ids = await app.reads.read<readonly number[]>(userKeys.bots(realm.id, actingUser.id)) ?? [];
  const bots = await Promise.all(ids.map((id) => readUser(app, realm.id, id)));
  return bots.filter((bot) => bot !== null).map((bot) => toOwnBot(app, realm, bot));
}
