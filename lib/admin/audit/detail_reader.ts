import { type AuditKind, type AuditValues, toIds } from "@/lib/chat/organization/audit/model.ts";
import { type AuditLogEntry, readAuditValues } from "@/lib/chat/organization/audit/store.ts";
import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import {
  channelKeys,
  type ChannelRecord,
  UNLIMITED_RETENTION,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { type Directory, readDirectory } from "@/lib/chat/organization/users/store.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { AdminRequest } from "../admin_request.ts";
import { describePermission, nameOfGroup } from "../permissions/group_names.ts";
import { z } from "zod";
import { NO_CHANNEL } from "@/lib/chat/organization/organizations/settings.ts";
import { isPermission } from "@/lib/chat/organization/permissions/model/registry.ts";
import { ROLES } from "@/lib/chat/organization/users/model.ts";
import { record } from "@/lib/chat/organization/params/record.ts";

/** Kinds of records that details name by their id. */
type NamedKind = "user" | "group" | "channel" | "folder" | "linkifier" | "profile_field";

type Names = ReadonlyMap<number, string>;

/** Context for rendering details: the records that they refer to, as they are now. */
export interface DetailReader {
  readonly request: AdminRequest;
  readonly directory: Directory;
  readonly permissions: PermissionContext;
  /** Names by id; of channels only those that `withNames` has read. */
  readonly names: Readonly<Record<"channel" | "folder" | "linkifier" | "profile_field", Names>>;
  /** Values of the changes of lists that `withNames` has read, by the id of the entry. */
  readonly values: ReadonlyMap<string, AuditValues>;
}

/** Reads the records that details refer to, except channels and values. */
export async function loadDetailReader(request: AdminRequest): Promise<DetailReader> {
  const { chat, realm } = request;
  const permissions = await request.readPermissions();
  const [directory, folders, linkifiers, fields] = await Promise.all([
    readDirectory(chat, realm.id),
    listChannelFolders(chat, realm, { includeArchived: true }),
    listLinkifiers(chat, realm.id),
    readFields(chat, realm.id),
  ]);
  const names = {
    channel: new Map<number, string>(),
    folder: new Map(folders.map(({ id, name }) => [id, name])),
    linkifier: new Map(linkifiers.map(({ id, pattern }) => [id, pattern])),
    profile_field: new Map(fields.map(({ id, name }) => [id, name])),
  };
  return { request, directory, permissions, names, values: new Map() };
}

/** Field that names records by their id, alone or in a list. */
const CHANNEL_FIELD = /^channel_ids$|_(stream|channel)_id$/;
const GROUP_FIELDS: ReadonlySet<string> = new Set(["group_ids", "add_subgroups", "delete_subgroups"]);
const USER_FIELDS: ReadonlySet<string> = new Set(["add", "delete", "users", "bots", "bot_owner_id"]);

/** Returns the kind of records that a field of a target names by id; null for other fields. */
export function toNamedKind(kind: AuditKind, field: string): NamedKind | null {
  if (CHANNEL_FIELD.test(field)) return "channel";
  if (GROUP_FIELDS.has(field)) return "group";
  if (USER_FIELDS.has(field)) return "user";
  if (field === "folder_id") return "folder";
  const isOrdered = kind === "folder" || kind === "linkifier" || kind === "profile_field";
  return field === "order" && isOrdered ? kind : null;
}

/**
 * Returns the reader with what the details of some changes need in addition: names of channels, and the ids of
 * changed users and of a changed order, which are among the values of a change. All are read together.
 */
export async function withNames(
  reader: DetailReader,
  changes: readonly AuditLogEntry[],
): Promise<DetailReader> {
  const { chat, realm } = reader.request;
  const lists = changes.filter(({ action, is_revertible }) => is_revertible && hasListedValues(action));
  const reads = { get: chat.reads.read };
  const [withChannels, ...values] = await Promise.all([
    withChannelNames(reader, listChannelIds(changes)),
    ...lists.map(({ id }) => readAuditValues(reads, realm.id, id)),
  ]);
  const found = lists.flatMap(({ id }, at): [string, AuditValues][] => {
    const own = values[at] ?? null;
    return own === null ? [] : [[id, own]];
  });
  return { ...withChannels, values: new Map(found) };
}

/** Whether the details of an action are in its values: who was changed, added or removed, or the new order. */
function hasListedValues(action: AuditLogEntry["action"]): boolean {
  return action === "group_members_changed" || action.startsWith("users_") || action.endsWith("_reordered");
}

function listChannelIds(changes: readonly AuditLogEntry[]): readonly number[] {
  return changes.flatMap(({ target, details }) =>
    Object.entries(details).filter(([field]) => toNamedKind(target.kind, field) === "channel")
      .flatMap(([, detail]) => [detail].flat()).flatMap((text) => [parseJson(text)].flat())
      .filter((id) => typeof id === "number")
  );
}

/** Returns the reader with the names of some channels, which are read together. */
export async function withChannelNames(
  reader: DetailReader,
  ids: readonly number[],
): Promise<DetailReader> {
  const { chat, realm } = reader.request;
  const missing = [...new Set(ids)].filter((id) => Number.isSafeInteger(id) && !reader.names.channel.has(id));
  if (missing.length === 0) return reader;
  const channels = await Promise.all(
    missing.map((id) => chat.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id))),
  );
  const found = channels.flatMap((channel): [number, string][] =>
    channel === null ? [] : [[channel.id, `#${channel.name}`]]
  );
  return { ...reader, names: { ...reader.names, channel: new Map([...reader.names.channel, ...found]) } };
}

/** Returns the present name of a record, or that it was deleted. */
export function nameOfRecord(reader: DetailReader, kind: NamedKind, id: number): string {
  const { messages, formatter } = reader.request;
  return findName(reader, kind, id) ?? formatter.t(messages.audit.deleted[kind], { id: String(id) });
}

function findName(
  { request, directory, permissions, names }: DetailReader,
  kind: NamedKind,
  id: number,
): string | undefined {
  if (kind === "user") return directory.byId.get(id)?.full_name;
  if (kind !== "group") return names[kind].get(id);
  const isKnown = permissions.groups.has(id) || systemGroupName(permissions.realm, id) !== null;
  return isKnown ? nameOfGroup(request, permissions, id) : undefined;
}

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

function toShownRetention({ t, messages, formatter }: AdminRequest, value: unknown): string {
  const text = messages.audit.revert;
  if (value === UNLIMITED_RETENTION) return t("unlimited");
  return typeof value === "number" ? formatter.t(text.days, { count: value }) : t("default");
}

function toShownLimit({ t, messages, formatter }: AdminRequest, value: unknown): string {
  const text = messages.audit.revert;
  if (typeof value !== "number") return t("unlimited");
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
