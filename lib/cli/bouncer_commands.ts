import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { chatCommand } from "./chat_command.ts";

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
