import type { LoadCommand } from "./command.ts";

const loadRealmCommands = () => import("./realm_commands.ts");
const loadCreateUserCommands = () => import("./create_user_commands.ts");
const loadChangeUserCommands = () => import("./change_user_commands.ts");

export const CHAT_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  "create-realm": async () => (await loadRealmCommands()).createRealmCommand,
  "deactivate-realm": async () => (await loadRealmCommands()).deactivateRealmCommand,
  "create-user": async () => (await loadCreateUserCommands()).createUserCommand,
  "create-bot": async () => (await loadCreateUserCommands()).createBotCommand,
  "set-role": async () => (await loadChangeUserCommands()).setRoleCommand,
  "deactivate-user": async () => (await loadChangeUserCommands()).deactivateUserCommand,
  "reactivate-user": async () => (await loadChangeUserCommands()).reactivateUserCommand,
  "rotate-api-key": async () => (await loadChangeUserCommands()).rotateApiKeyCommand,
  "create-remote-server": async () => (await loadRealmCommands()).createRemoteServerCommand,
  "create-remote-realm": async () => (await loadRealmCommands()).createRemoteRealmCommand,
};

/** Usage texts of these commands. */
export const CHAT_USAGE =
  `  create-realm --name N --owner-email E --owner-name F [--owner-password P] [--subdomain S]
                 create an organization and its owner; without a subdomain, the root organization
  deactivate-realm --subdomain S
                 deactivate an organization; "" is the root organization
  create-user --email E --name F [--role 400] [--password P] [--subdomain S]
  create-bot --owner-email E --name F --short-name X [--type 1] [--subdomain S]
  set-role --email E --role R [--subdomain S]
                 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest
  deactivate-user --email E [--subdomain S]
  reactivate-user --email E [--subdomain S]
  rotate-api-key --email E [--subdomain S]
  create-remote-server --name N
                 register a server whose push notifications this one forwards
  create-remote-realm --org-id I --realm-uuid U
                 register an organization of that server`;
