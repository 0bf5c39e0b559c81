import { z } from "zod";
import { type AuditKind, toIds } from "@/lib/chat/organization/audit/model.ts";

import { UNLIMITED_RETENTION } from "@/lib/chat/organization/channels/model/channel.ts";
import { NO_CHANNEL } from "@/lib/chat/organization/organizations/settings.ts";
import { isPermission } from "@/lib/chat/organization/permissions/model/registry.ts";
import { ROLES } from "@/lib/chat/organization/users/model.ts";
import { record } from "@/lib/chat/organization/params/record.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { AdminRequest } from "../admin_request.ts";
import { describePermission } from "../permissions/group_names.ts";
import { type DetailReader, type NamedKind, nameOfRecord, toNamedKind } from "./detail_reader.ts";

/** Maximum number of names that are listed; further ones are counted. */
const MAX_NAMED = 12;

/** Value of a field, with the kind of the object that has it. */
interface ReadValue {
  readonly kind: AuditKind;
  readonly name: string;
  readonly value: unknown;
}

/** Renders the value of a field; undefined when it cannot be rendered. */
export function toShownValue(reader: DetailReader, { kind, name, value }: ReadValue): string | undefined {
  const { request } = reader;
  if (value === undefined) return undefined;
  if (isPermission(name)) return toHolders(reader, value);
  const named = toNamedKind(kind, name);
  if (Array.isArray(value)) return listNames(reader, named, value);
  if (named !== null && typeof value === "number" && !isListName(name)) {
    return value === NO_CHANNEL ? request.messages.audit.nothing : nameOfRecord(reader, named, value);
  }
  if (name === "message_retention_days") return toShownRetention(request, value);
  if (name.endsWith("_limit_seconds")) return toShownLimit(request, value);
  if (name === "field_data" && typeof value === "string") return toShownChoices(request, value);
  return toPlain(request, name, value);
}

const groupSetting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

function toHolders(reader: DetailReader, stored: unknown): string | undefined {
  const { request, permissions } = reader;
  const value = groupSetting.safeParse(stored).data;
  if (value === undefined) return undefined;
  const ids = typeof value === "number" ? [] : value.direct_members;
  const users = ids.map((id) => ({ full_name: nameOfRecord(reader, "user", id) }));
  return describePermission(request, { permissions, value, users });
}

/** Whether a field is a list of ids; its details may have the length of the list only. */
function isListName(name: string): boolean {
  return name === "order" || name.endsWith("_ids") || /^((add|delete)(_subgroups)?|users|bots)$/.test(name);
}

function listNames(reader: DetailReader, named: NamedKind | null, value: readonly unknown[]): string {
  const { messages, formatter } = reader.request;
  const texts = named === null ? value.map(String) : toIds(value);
  const shown = texts.slice(0, MAX_NAMED).map((one) =>
    named === null || typeof one === "string" ? String(one) : nameOfRecord(reader, named, one)
  );
  if (shown.length === 0) return messages.audit.nothing;
  const others = texts.length - shown.length;
  return formatter.list(
    others === 0 ? shown : [...shown, formatter.t(messages.audit.revert.others, { count: others })],
  );
}

function toShownRetention({ messages, formatter }: AdminRequest, value: unknown): string {
  const text = messages.audit.revert;
  if (value === UNLIMITED_RETENTION) return text.forever;
  return typeof value === "number" ? formatter.t(text.days, { count: value }) : text.default;
}

function toShownLimit({ messages, formatter }: AdminRequest, value: unknown): string {
  const text = messages.audit.revert;
  if (typeof value !== "number") return text.forever;
  const [phrase, size] = value % 86_400 === 0
    ? [text.days, 86_400] as const
    : value % 3600 === 0
    ? [text.hours, 3600] as const
    : value % 60 === 0
    ? [text.minutes, 60] as const
    : [text.seconds, 1] as const;
  return formatter.t(phrase, { count: value / size });
}

const fieldData = record(z.union([z.string(), z.object({ text: z.string() })]));

/** Renders the choices of a profile field, or the parts of its external account. */
function toShownChoices({ messages, formatter }: AdminRequest, data: string): string | undefined {
  if (data === "") return messages.audit.nothing;
  const choices = fieldData.safeParse(parseJson(data)).data;
  return choices &&
    formatter.list(Object.values(choices).map((choice) => typeof choice === "string" ? choice : choice.text));
}

function toPlain({ messages }: AdminRequest, name: string, value: unknown): string {
  const text = value === null ? "" : String(value);
  if (text === "") return messages.audit.nothing;
  if (name === "settings") return text.split(", ").map(toWords).join(", ");
  if (text === "true") return messages.common.yes;
  if (text === "false") return messages.common.no;
  const names: Readonly<Record<string, string>> | undefined = name === "topics_policy"
    ? messages.channels.topicsPolicies
    : name === "email_confirmation"
    ? messages.organization.confirmations
    : undefined;
  if (names !== undefined) return (Object.hasOwn(names, text) ? names[text] : undefined) ?? text;
  const role = name === "role" ? ROLES.find((known) => String(known) === text) : undefined;
  return role === undefined ? text : messages.shell.roles[role];
}

/** Returns the name of a setting that has no label on pages, such as those of users, as words. */
export function toWords(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");
}
