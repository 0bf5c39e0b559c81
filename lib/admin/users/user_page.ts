import { ACCOUNT_FIELDS } from "./user_data.ts";
import { updateBot } from "@/lib/chat/bots/manage_bots.ts";
import { reactivateUser, updateUser } from "@/lib/chat/users/update_user.ts";
import { endUserSessions } from "@/lib/chat/auth/reset_password.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { isBot, ROLES, type UserRecord } from "@/lib/chat/users/model.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/pictures.ts";
import { changeBotAvatar } from "@/lib/chat/users/avatar.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { readBotChanges } from "../bots/bot_form.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { requireRevision } from "../revision.ts";
import { loadUser, seenUser, type UserData } from "./user_data.ts";
import { fieldOfValue, saveProfile } from "./profile_values.ts";

/** The page of an account: profile, memberships and access. */
export const userPage: AdminPageSpec<UserData> = {
  load: loadUser,
  actions: {
    save: {
      run: save,
      fields: { ...ACCOUNT_FIELDS, payload_url: "payload_url", bot_owner_id: "owner" },
    },
    profile: { run: saveProfile, fieldOf: fieldOfValue },
    avatar: { run: changeAvatar, fieldOf: () => "avatar" },
    end_sessions: { run: endSessions },
    reactivate: { run: reactivate },
  },
  files: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE, action: "avatar" },
};

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const stored = await readNamed(request);
  if (stored !== null) requireRevision(request, fields, seenUser(stored));
  const id = pathId(request);
  const role = ROLES.find((known) => known === fields.int("role"));
  const full_name = fields.exact("full_name");
  if (stored !== null && isBot(stored)) {
    const changes = await readBotChanges(request, fields, stored);
    await updateBot(chat, caller, { id, changes: { full_name, role, ...changes } });
  } else {
    // An address hidden from the administrator is submitted empty.
    const email = fields.exact("email").trim();
    const new_email = email === "" ? undefined : email;
    const changes = { full_name, role, new_email, profile_data: undefined };
    await updateUser(chat, caller, { name: String(id), changes });
  }
  return { flash: formatter.t(messages.users.saved, { name: full_name.trim() }) };
}

async function changeAvatar(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const files = fields.files.filter(({ length }) => length > 0);
  if (files.length === 0) throw new FormRefusal({ avatar: messages.bots.avatarMissing });
  await changeBotAvatar(chat, caller, { id: pathId(request), files });
  return { flash: formatter.t(messages.bots.avatarSaved, { name: await nameOf(request) }) };
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
