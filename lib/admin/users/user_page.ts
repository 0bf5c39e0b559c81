import { updateBot } from "@/lib/chat/bots/update_bot.ts";
import { updateUser } from "@/lib/chat/users/update_user.ts";
import { reactivateUser } from "@/lib/chat/users/reactivate_user.ts";
import { endUserSessions } from "@/lib/chat/auth/revoke_access.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { isBot, ROLES, type UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { requireRevision } from "../revision.ts";
import { loadUser, seenUser, type UserData } from "./user_data.ts";
import { accountFieldOf } from "./user_fields.ts";

/** The page of an account: profile, memberships and access. */
export const userPage: AdminPageSpec<UserData> = {
  load: loadUser,
  actions: {
    save: { run: save, fieldOf: accountFieldOf },
    end_sessions: { run: endSessions },
    reactivate: { run: reactivate },
  },
};

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const stored = await readNamed(request);
  if (stored !== null) requireRevision(request, fields, seenUser(stored));
  const id = pathId(request);
  const role = ROLES.find((known) => known === fields.int("role"));
  const full_name = fields.text("full_name");
  if (stored !== null && isBot(stored)) {
    await updateBot(chat, caller, { id, changes: { full_name, role, bot_owner_id: undefined } });
  } else {
    // An address hidden from the administrator is submitted empty.
    const email = fields.text("email").trim();
    const new_email = email === "" ? undefined : email;
    const changes = { full_name, role, new_email, profile_data: undefined };
    await updateUser(chat, caller, { name: String(id), changes });
  }
  return { flash: formatter.t(messages.users.saved, { name: full_name.trim() }) };
}

async function endSessions(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  await endUserSessions(chat, caller, pathId(request));
  return { flash: formatter.t(messages.users.sessionsEnded, { name: await nameOf(request) }) };
}

async function reactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  await reactivateUser(chat, caller, pathId(request));
  return { flash: formatter.t(messages.users.wasReactivated, { name: await nameOf(request) }) };
}

/** Reads the account in the path; null without one. */
function readNamed(request: AdminRequest): Promise<UserRecord | null> {
  return readUser(request.chat, request.realm.id, pathId(request));
}

async function nameOf(request: AdminRequest): Promise<string> {
  return (await readNamed(request))?.full_name ?? "";
}
