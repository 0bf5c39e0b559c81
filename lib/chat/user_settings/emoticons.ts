import type { ChatApp } from "../app.ts";
import type { UserRecord } from "../users/user.ts";
import { readUserSettings } from "./store.ts";

/** Whether somebody wants `:)` and its like in his messages to become emoji. */
export async function readEmoticons(
  app: ChatApp,
  realmId: number,
  user: UserRecord,
): Promise<{ readonly translatesEmoticons: boolean }> {
  const settings = await readUserSettings(app, realmId, user);
  return { translatesEmoticons: settings["translate_emoticons"] === true };
}
