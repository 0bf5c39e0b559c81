import {
  BOT_TYPES,
  isBot,
  requireEmail,
  requireFullName,
  ROLES,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { auditUser } from "@/lib/chat/organization/users/events.ts";
import { addBot } from "@/lib/chat/people/bots/manage_bots.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { chatCommand, getRealm, getTarget } from "./chat_command.ts";
import { Refusal } from "./command.ts";
import { requirePassword } from "./password_option.ts";

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
      const added = await addUser({ app, tx, realm }, user);
      auditUser({ app, tx, realm }, { user: added, action: "created" });
      return added;
    });
    return toMade(app, realm, made);
  },
});

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
      const made = await addBot({ app, tx, realm }, { owner, newBot });
      auditUser({ app, tx, realm }, { user: made, action: "created" });
      return made;
    });
    return toMade(app, realm, bot);
  },
});

function toMade(app: ChatApp, realm: RealmRecord, user: UserRecord) {
  return { user_id: user.id, email: user.delivery_email, api_key: deriveApiKey(app, realm.id, user) };
}
