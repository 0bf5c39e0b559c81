import {
  type AccountChange,
  changeRole,
  endAccount,
  resumeAccount,
  rotateKey,
} from "@/lib/chat/accounts/change_account.ts";
import { noteAccount, type NotedAccount } from "@/lib/chat/accounts/note_account.ts";
import { addBot } from "@/lib/chat/accounts/create_bot.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { differencesOf } from "@/lib/chat/audit/details.ts";
import type { RealmRecord } from "@/lib/chat/realm/realm.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { apiKeyOf } from "@/lib/chat/users/api_key.ts";
import { requireEmail } from "@/lib/chat/users/email.ts";
import { requireFullName } from "@/lib/chat/users/full_name.ts";
import { findUserByEmail, getUser } from "@/lib/chat/users/store.ts";
import { BOT_TYPES, isBot, ROLES, type UserRecord } from "@/lib/chat/users/user.ts";
import { toUser } from "@/lib/chat/users/view.ts";
import { transact } from "@/lib/kv/transact.ts";
import { chatCommand, getRealm, type Options } from "./chat_command.ts";
import { Refusal } from "./errors.ts";
import { requirePassword } from "./password_option.ts";
import type { Command } from "./main.ts";

/** Makes a person's account of any role. */
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
      noteAccount({ app, tx, realm }, { actor: null, user: added, what: "created" });
      return added;
    });
    return toMade(app, realm, made);
  },
});

/** Makes a bot of any kind. */
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
  async work(app, { ownerEmail, subdomain, bot: wanted }) {
    const realm = await getRealm(app, subdomain);
    const { id } = await getTarget(app, realm, ownerEmail);
    const bot = await transact(app.store, async (tx) => {
      const owner = await getUser(tx, realm.id, id);
      if (isBot(owner)) throw new Refusal(`${ownerEmail} is a bot; bots own no bots.`);
      if (!owner.is_active) throw new Refusal(`${ownerEmail} is deactivated.`);
      const made = await addBot(app, tx, { realm, owner, wanted });
      noteAccount({ app, tx, realm }, { actor: null, user: made, what: "created" });
      return made;
    });
    return toMade(app, realm, bot);
  },
});

/** Gives an account another role. */
export const setRoleCommand = changeCommand({
  usage: "set-role --email E --role R [--subdomain S]",
  options: ["role"],
  read: (options) => options.choice("role", ROLES),
  noted: "role_changed",
  change: (change, user, role) => changeRole(change, user, role),
});

/** Ends an account and its bots. */
export const deactivateUserCommand = changeCommand({
  usage: "deactivate-user --email E [--subdomain S]",
  read: () => null,
  noted: "deactivated",
  change: (change, user) => endAccount(change, user),
});

/** Lets an account be used again. */
export const reactivateUserCommand = changeCommand({
  usage: "reactivate-user --email E [--subdomain S]",
  read: () => null,
  noted: "reactivated",
  change: (change, user) => resumeAccount(change, user, null),
});

/** Gives an account another API key, and prints it. */
export const rotateApiKeyCommand = changeCommand({
  usage: "rotate-api-key --email E [--subdomain S]",
  read: () => null,
  noted: "key_reset",
  change: (change, user) => rotateKey(change, user),
  show: (app, realm, user) => ({ api_key: apiKeyOf(app, realm.id, user) }),
});

/** A command that changes one account, found by its address, and prints what it is then. */
function changeCommand<T>(
  { usage, options = [], read, noted, change, show = () => ({}) }: {
    usage: string;
    options?: readonly string[];
    read: (options: Options) => T;
    noted: NotedAccount["what"];
    change: (change: AccountChange, user: UserRecord, wanted: T) => Promise<UserRecord>;
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
          const details = differencesOf(before, after, ["role"]);
          if (after !== before) {
            noteAccount({ app, tx, realm }, { actor: null, user: after, what: noted, details });
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
  if (user === null) throw new Refusal(`Nobody in the organization has the address ${email}.`);
  return user;
}

function toMade(app: ChatApp, realm: RealmRecord, user: UserRecord) {
  return { user_id: user.id, email: user.delivery_email, api_key: apiKeyOf(app, realm.id, user) };
}
