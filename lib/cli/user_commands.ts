import { deactivateAccount, reactivateAccount, setUserRole } from "@/lib/chat/users/change_user.ts";
import { rotateApiKey } from "@/lib/chat/auth/regenerate_api_key.ts";
import {
  BOT_TYPES,
  type ChangeContext,
  isBot,
  requireEmail,
  requireFullName,
  ROLES,
  type UserRecord,
} from "@/lib/chat/users/model.ts";
import { type AuditedUserAction, auditUser } from "@/lib/chat/users/events.ts";
import { addBot } from "@/lib/chat/bots/create_bot.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { diffDetails } from "@/lib/chat/audit/model.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { deriveApiKey } from "@/lib/chat/auth/model.ts";
import { findUserByEmail, getUser } from "@/lib/chat/users/store.ts";
import { toUser } from "@/lib/chat/users/api.ts";
import { transact } from "@/lib/kv/transact.ts";
import { chatCommand, getRealm, type Options } from "./chat_command.ts";
import { Refusal } from "./errors.ts";
import { requirePassword } from "./password_option.ts";
import type { Command } from "./command.ts";

/** Creates a user of any role. */
export const createUserCommand = chatCommand({
  usage: "create-user --email E --name F [--role 400] [--password P] [--subdomain S]",
  options: ["email", "name", "role", "password", "subdomain"],
  read: (options) => ({
    email: options.required("email"),
    name: options.required("name"),
    role: options.choice("role", ROLES, 400),
    password: requirePassword(options, "password"),
    subdomain: options.optional("subdomain"),
  }),
  async work(app, { email, name, role, password, subdomain }) {
    const realm = await getRealm(app, subdomain);
    const deliveryEmail = requireEmail(email);
    const fullName = requireFullName(name);
    const passwordHash = password === null ? null : await app.passwords.hash(password);
    const user = { deliveryEmail, fullName, role, passwordHash };
    const made = await transact(app.store, async (tx) => {
      const added = await addUser(app, tx, { realm, user });
      auditUser({ app, tx, realm }, { actor: null, user: added, action: "created" });
      return added;
    });
    return toMade(app, realm, made);
  },
});

/** Creates a bot of any type. */
export const createBotCommand = chatCommand({
  usage: "create-bot --owner-email E --name F --short-name X [--type 1] [--subdomain S]",
  options: ["owner-email", "name", "short-name", "type", "subdomain"],
  read: (options) => ({
    ownerEmail: options.required("owner-email"),
    subdomain: options.optional("subdomain"),
    bot: {
      full_name: options.required("name"),
      short_name: options.required("short-name"),
      bot_type: options.choice("type", BOT_TYPES, 1),
    },
  }),
  async work(app, { ownerEmail, subdomain, bot: newBot }) {
    const realm = await getRealm(app, subdomain);
    const { id } = await getTarget(app, realm, ownerEmail);
    const bot = await transact(app.store, async (tx) => {
      const owner = await getUser(tx, realm.id, id);
      if (isBot(owner)) throw new Refusal(`${ownerEmail} is a bot. Bots cannot own bots.`);
      if (!owner.is_active) throw new Refusal(`${ownerEmail} is deactivated.`);
      const made = await addBot(app, tx, { realm, owner, newBot });
      auditUser({ app, tx, realm }, { actor: null, user: made, action: "created" });
      return made;
    });
    return toMade(app, realm, bot);
  },
});

/** Changes the role of an account. */
export const setRoleCommand = changeCommand({
  usage: "set-role --email E --role R [--subdomain S]",
  options: ["role"],
  read: (options) => options.choice("role", ROLES),
  action: "role_changed",
  change: (change, user, role) => setUserRole(change, user, role),
});

/** Deactivates an account and its bots. */
export const deactivateUserCommand = changeCommand({
  usage: "deactivate-user --email E [--subdomain S]",
  read: () => null,
  action: "deactivated",
  change: (change, user) => deactivateAccount(change, user),
});

/** Reactivates an account. */
export const reactivateUserCommand = changeCommand({
  usage: "reactivate-user --email E [--subdomain S]",
  read: () => null,
  action: "reactivated",
  change: (change, user) => reactivateAccount(change, user, null),
});

/** Replaces the API key of an account and prints the new one. */
export const rotateApiKeyCommand = changeCommand({
  usage: "rotate-api-key --email E [--subdomain S]",
  read: () => null,
  action: "key_reset",
  change: ({ app, tx, realm }, user) => rotateApiKey({ app, tx, realmId: realm.id }, user),
  show: (app, realm, user) => ({ api_key: deriveApiKey(app, realm.id, user) }),
});

/** Creates a command that changes one account, found by its address, and prints its new state. */
function changeCommand<T>(
  { usage, options = [], read, action, change, show = () => ({}) }: {
    usage: string;
    options?: readonly string[];
    read: (options: Options) => T;
    action: AuditedUserAction["action"];
    change: (change: ChangeContext, user: UserRecord, wanted: T) => Promise<UserRecord>;
    show?: (app: ChatApp, realm: RealmRecord, user: UserRecord) => object;
  },
): Command {
  return chatCommand({
    usage,
    options: ["email", "subdomain", ...options],
    read: (given) => ({
      email: given.required("email"),
      subdomain: given.optional("subdomain"),
      wanted: read(given),
    }),
    async work(app, { email, subdomain, wanted }) {
      const realm = await getRealm(app, subdomain);
      const { id } = await getTarget(app, realm, email);
      const user = await transact(
        app.store,
        async (tx) => {
          const before = await getUser(tx, realm.id, id);
          const after = await change({ app, tx, realm }, before, wanted);
          const details = diffDetails(before, after, ["role"]);
          if (after !== before) {
            auditUser({ app, tx, realm }, { actor: null, user: after, action, details });
          }
          return after;
        },
      );
      return { ...toUser(user, { app, realm, viewer: user }), ...show(app, realm, user) };
    },
  });
}

async function getTarget(app: ChatApp, realm: RealmRecord, email: string): Promise<UserRecord> {
  const user = await findUserByEmail(app, realm, email);
  if (user === null) throw new Refusal(`No user of the organization has the email address ${email}.`);
  return user;
}

function toMade(app: ChatApp, realm: RealmRecord, user: UserRecord) {
  return { user_id: user.id, email: user.delivery_email, api_key: deriveApiKey(app, realm.id, user) };
}
