import type { ChatApp } from "../app.ts";
import { type Caller, userKeys } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import { toOwnBot } from "./api.ts";

/** Returns the active bots the caller owns with their API keys, sorted by id. */
export async function listOwnBots(app: ChatApp, { realm, actingUser }: Caller) {
  const ids = await app.reads.read<readonly number[]>(userKeys.bots(realm.id, actingUser.id)) ?? [];
  const bots = await Promise.all(ids.map((id) => readUser(app, realm.id, id)));
  return bots.filter((bot) => bot !== null).map((bot) => toOwnBot(app, realm, bot));
}
