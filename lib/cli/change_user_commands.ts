import { deactivateAccount, reactivateAccount, setUserRole } from "@/lib/chat/people/users/change_user.ts";
import { deriveApiKey, rotateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { ROLES, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { type AuditedUserAction, auditUser } from "@/lib/chat/organization/users/events.ts";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { diffDetails } from "@/lib/chat/organization/audit/model.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { toUser } from "@/lib/chat/people/users/api.ts";
import { transact } from "@/lib/store/transact.ts";
import { chatCommand, getRealm, getTarget, type Options } from "./chat_command.ts";
import type { Command } from "./command.ts";

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
  change: rotateApiKey,
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
            auditUser({ app, tx, realm }, { user: after, action, details });
          }
          return after;
        },
      );
      return { ...toUser(user, { app, realm, viewer: user }), ...show(app, realm, user) };
    },
  });
}
