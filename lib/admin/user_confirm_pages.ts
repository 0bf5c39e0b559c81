import { deactivateBot, deactivateUser } from "@/lib/chat/accounts/deactivate_user.ts";
import { regenerateBotKey } from "@/lib/chat/accounts/regenerate_bot_key.ts";
import { resetUserKey } from "@/lib/chat/accounts/reset_access.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { isBot } from "@/lib/chat/users/user.ts";
import type { AdminPageSpec, Done } from "./admin_page.ts";
import { type AdminRequest, pathId } from "./admin_request.ts";
import { loadUser, type UserData } from "./user_data.ts";

/** The page that asks before an account is deactivated. */
export const deactivateUserPage: AdminPageSpec<UserData> = {
  load: loadActive,
  actions: { deactivate: { run: deactivate } },
};

/** The page that asks before an API key stops working. */
export const resetKeyPage: AdminPageSpec<UserData> = {
  load: loadActive,
  actions: { reset_key: { run: resetKey } },
};

async function loadActive(request: AdminRequest): Promise<UserData | null> {
  const user = await loadUser(request);
  return user?.isActive ? user : null;
}

async function deactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const { id, name, isOfBot } = await readTarget(request);
  if (isOfBot) await deactivateBot(chat, caller, id);
  else await deactivateUser(chat, caller, String(id));
  return { said: speech.say(words.users.wasDeactivated, { name }), to: `/admin/users/${id}` };
}

/** Nobody but its holder sees the new key. */
async function resetKey(request: AdminRequest): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const { id, name, isOfBot } = await readTarget(request);
  if (isOfBot) await regenerateBotKey(chat, caller, id);
  else await resetUserKey(chat, caller, id);
  return { said: speech.say(words.users.wasReset, { name }), to: `/admin/users/${id}` };
}

/** What of the account in the path decides what is done; what is not there is refused by whoever does it. */
async function readTarget(request: AdminRequest): Promise<{ id: number; name: string; isOfBot: boolean }> {
  const id = pathId(request);
  const user = await readUser(request.chat, request.realm.id, id);
  return { id, name: user?.full_name ?? "", isOfBot: user !== null && isBot(user) };
}
