import { taskCommand } from "@/lib/core/task_command.ts";
import { createRealm, deactivateRealm } from "@/lib/chat/people/users/create_realm.ts";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { chatCommand } from "./chat_command.ts";
import { UsageError } from "./command.ts";
import { requirePassword } from "./password_option.ts";
import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";

export const createRealmCommand = chatCommand({
  usage: "create-realm --name N --owner-email E --owner-name F [--owner-password P] [--subdomain S]",
  options: ["name", "owner-email", "owner-name", "owner-password", "subdomain"],
  read: (options) => ({
    name: options.required("name"),
    subdomain: options.optional("subdomain") ?? "",
    ownerEmail: options.required("owner-email"),
    ownerName: options.required("owner-name"),
    ownerPassword: requirePassword(options, "owner-password"),
  }),
  async work(app, wanted) {
    const { realm, owner } = await createRealm(app, wanted);
    return {
      realm_id: realm.id,
      realm_uuid: realm.uuid,
      user_id: owner.id,
      email: owner.delivery_email,
      api_key: deriveApiKey(app, realm.id, owner),
    };
  },
});

export const deactivateRealmCommand = chatCommand({
  usage: "deactivate-realm --subdomain S",
  options: ["subdomain"],
  read(options) {
    // The root organization's subdomain is empty, but it must be named as well.
    const subdomain = options.optional("subdomain");
    if (subdomain === undefined) throw new UsageError(taskCommand("-q admin deactivate-realm --subdomain S"));
    return subdomain;
  },
  async work(app, subdomain) {
    const realm = await deactivateRealm(app, subdomain);
    return {
      realm_id: realm.id,
      realm_uuid: realm.uuid,
      subdomain: realm.subdomain,
      name: realm.name,
      is_deactivated: realm.is_deactivated,
    };
  },
});

/** Registers a server whose notifications this server delivers. */
export const createRemoteServerCommand = chatCommand({
  usage: "create-remote-server --name N",
  options: ["name"],
  read: (options) => options.required("name"),
  work: createRemoteServer,
});

/** Registers an organization of a registered server. */
export const createRemoteRealmCommand = chatCommand({
  usage: "create-remote-realm --org-id I --realm-uuid U",
  options: ["org-id", "realm-uuid"],
  read: (options) => ({
    org_id: options.required("org-id"),
    realm_uuid: options.required("realm-uuid"),
  }),
  work: createRemoteRealm,
});
