import { deactivateBot, regenerateBotKey } from "@/lib/chat/bots/manage_bots.ts";
import { deactivateUser } from "@/lib/chat/users/update_user.ts";
import { createSignInLink, resetUserApiKey } from "@/lib/chat/auth/reset_password.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { isBot } from "@/lib/chat/users/model.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { loadUser, mayGetSignInLink, type UserData } from "./user_data.ts";

/** The page that confirms deactivating an account. */
export const deactivateUserPage: AdminPageSpec<UserData> = {
  load: loadActive,
  actions: { deactivate: { run: deactivate } },
};

/** The page that confirms resetting an API key. */
export const resetKeyPage: AdminPageSpec<UserData> = {
  load: loadActive,
  actions: { reset_key: { run: resetKey } },
};

/** The page with a sign-in link of a user, which is rendered only in the answer to the form. */
export const signInLinkPage: AdminPageSpec<UserData> = {
  load: loadWithoutAccess,
  actions: { make: { run: makeSignInLink } },
};

/** Users for whom the caller cannot make a link are treated as missing. */
async function loadWithoutAccess(request: AdminRequest): Promise<UserData | null> {
  const user = await loadActive(request);
  return user !== null && mayGetSignInLink(user) ? user : null;
}

async function makeSignInLink(request: AdminRequest): Promise<Done> {
  const { url, expiresAt } = await createSignInLink(request.chat, request.caller, pathId(request));
  return { flash: "", isDraft: true, result: { url, expiresAt } };
}

async function loadActive(request: AdminRequest): Promise<UserData | null> {
  const user = await loadUser(request);
  return user?.isActive ? user : null;
}

async function deactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const { id, name, isOfBot } = await readTarget(request);
  if (isOfBot) await deactivateBot(chat, caller, id);
  else await deactivateUser(chat, caller, { name: String(id), options: { limits: null } });
  const to = `/admin/users/${id}`;
  const undo = { path: to, fields: { action: "reactivate" } };
  return { flash: formatter.t(messages.users.wasDeactivated, { name }), to, undo };
}

/** Only its holder sees the new key. */
async function resetKey(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const { id, name, isOfBot } = await readTarget(request);
  if (isOfBot) await regenerateBotKey(chat, caller, id);
  else await resetUserApiKey(chat, caller, id);
  return { flash: formatter.t(messages.users.wasReset, { name }), to: `/admin/users/${id}` };
}

/** Reads the account in the path; the action refuses a missing one. */
async function readTarget(request: AdminRequest): Promise<{ id: number; name: string; isOfBot: boolean }> {
  const id = pathId(request);
  const user = await readUser(request.chat, request.realm.id, id);
  return { id, name: user?.full_name ?? "", isOfBot: user !== null && isBot(user) };
}
