import { createRemoteRealmCommand, createRemoteServerCommand } from "./bouncer_commands.ts";
import type { Command } from "./command.ts";
import { createRealmCommand, deactivateRealmCommand } from "./realm_commands.ts";
import {
  createBotCommand,
  createUserCommand,
  deactivateUserCommand,
  reactivateUserCommand,
  rotateApiKeyCommand,
  setRoleCommand,
} from "./user_commands.ts";

/** Commands for organizations and their users, by name. */
export const CHAT_COMMANDS: Readonly<Record<string, Command>> = {
  "create-realm": createRealmCommand,
  "deactivate-realm": deactivateRealmCommand,
  "create-user": createUserCommand,
  "create-bot": createBotCommand,
  "set-role": setRoleCommand,
  "deactivate-user": deactivateUserCommand,
  "reactivate-user": reactivateUserCommand,
  "rotate-api-key": rotateApiKeyCommand,
  "create-remote-server": createRemoteServerCommand,
  "create-remote-realm": createRemoteRealmCommand,
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
