import { EMAIL_CONFIRMATIONS, ROLE_TITLES, TOPICS_POLICIES } from "@/lib/ui/texts.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";
import {
  type AuditAction,
  type AuditDetail,
  type AuditKind,
  type AuditValues,
  toIds,
} from "@/lib/chat/organization/audit/model.ts";
import { type AuditLogEntry, readAuditParts, readAuditValues } from "@/lib/chat/organization/audit/store.ts";
import { UNLIMITED_RETENTION } from "@/lib/chat/organization/channels/model/channel.ts";
import { NO_CHANNEL, REALM_SETTINGS } from "@/lib/chat/organization/organizations/settings.ts";
import { record } from "@/lib/chat/organization/params/param.ts";
import { isPermission, PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { AdminRequest } from "../admin_request.ts";
import { describeDuration } from "../describe_duration.ts";
import { describePermission, listSome, nameOfGroup } from "../permissions/group_names.ts";

/** Names of records that no longer exist. */
const DELETED = {
  user: "deleted user {id}",
  group: "deleted group {id}",
  channel: "deleted channel {id}",
  folder: "deleted folder {id}",
  linkifier: "deleted linkifier {id}",
  profile_field: "deleted profile field {id}",
};

/** Labels of fields; those of others are their names as words. */
const LABELS: Readonly<Record<string, string>> = {
  ...mapValues(
    { ...PERMISSIONS.user_group, ...PERMISSIONS.channel, ...PERMISSIONS.realm, ...REALM_SETTINGS },
    ({ label }) => label,
  ),
  full_name: "Name",
  export_type: "Type",
  allow_subdomains: "Include subdomains",
  bots: "Bots also deactivated",
  bot_owner_id: "Owner",
  delete_profile: "Delete the profile",
  delete_public_channel_messages: "Delete messages in public channels",
  delete_private_channel_messages: "Delete messages in private channels",
  count: "Number of addresses",
  addresses: "Email addresses",
  channel_ids: "Channels",
  group_ids: "Groups",
  include_realm_default_subscriptions: "Default channels",
  alternative_url_templates: "Alternative URL templates",
  expires_at: "Expires",
  add: "Members added",
  delete: "Members removed",
  add_subgroups: "Subgroups added",
  delete_subgroups: "Subgroups removed",
  invite_only: "Private",
  is_web_public: "Open to the web",
  history_public_to_subscribers: "Shared history",
  message_retention_days: "Message retention",
  folder_id: "Folder",
  topics_policy: "Topics",
  url_template: "URL template",
  pygments_language: "Language",
  example_input: "Example",
  editable_by_user: "Users can edit it",
  display_in_profile_summary: "Shown on the card",
  use_for_user_matching: "Used for matching",
  field_data: "Choices",
  links: "Short links",
  url: "Destination",
  max_visits: "Maximum visits",
};

/** Context for describing changes: the records that details refer to, as they are now. */
export type DetailReader = Awaited<ReturnType<typeof loadDetailReader>>;

/** Reads the records that details refer to. */
export async function loadDetailReader(request: AdminRequest) {
  const { chat, realm } = request;
  const [permissions, directory, channels, folders, linkifiers, fields] = await Promise.all([
    request.readPermissions(),
    readDirectory(chat, realm.id),
    readChannelList(chat, realm.id),
    listChannelFolders(chat, realm, { includeArchived: true }),
    listLinkifiers(chat, realm.id),
    readFields(chat, realm.id),
  ]);
  const isGroup = (id: number) => permissions.groups.has(id) || systemGroupName(realm, id) !== null;
  /** Find the present name of a record by its id. */
  const names = {
    user: (id: number) => directory.byId.get(id)?.full_name,
    group: (id: number) => isGroup(id) ? nameOfGroup(request, permissions, id) : undefined,
    channel: (id: number) => channels.byId.has(id) ? `#${channels.byId.get(id)?.name}` : undefined,
    folder: (id: number) => folders.find((folder) => folder.id === id)?.name,
    linkifier: (id: number) => linkifiers.find((linkifier) => linkifier.id === id)?.pattern,
    profile_field: (id: number) => fields.find((field) => field.id === id)?.name,
  };
  return { request, directory, permissions, names };
}

type NamedKind = keyof DetailReader["names"];

/** Returns the present name of a record, or that it was deleted. */
export function nameOfRecord({ request, names }: DetailReader, kind: NamedKind, id: number): string {
  return names[kind](id) ?? request.t(DELETED[kind], { id: String(id) });
}

/** A change with sentences about its details. */
export type DescribedChange = Awaited<ReturnType<typeof describeChange>>;

/**
 * Describes a change; its values are read where they list what was changed, or a new order. Of many links, all are read
 * only to search them.
 */
export async function describeChange(
  reader: DetailReader,
  entry: AuditLogEntry,
  { isSearched = false } = {},
) {
  const { chat, realm } = reader.request;
  const { id, action, target: { kind }, details } = entry;
  const isList = isOfMany(action) || action === "group_members_changed" || action.endsWith("_reordered");
  const values = !isList || !entry.is_revertible
    ? null
    : kind === "link"
    ? await readLinkValues(reader.request, { id, limit: isSearched ? undefined : MAX_NAMED })
    : await readAuditValues({ get: chat.reads.read }, realm.id, id);
  const isShown = (name: string) =>
    isOfMany(action) ? name !== "bulk_action" && name !== "count" : values === null;
  const sentences = [
    ...Object.entries(details).filter(([name]) => isShown(name))
      .map(([name, detail]) => toSentence(reader, { kind, name }, detail)),
    ...(values === null ? [] : toLists(reader, entry, values)),
  ];
  return { ...entry, values, sentences };
}

/** Reads the links of a change from its parts, each of which has one at least. */
async function readLinkValues(
  { chat, realm }: AdminRequest,
  of: Parameters<typeof readAuditParts>[2],
): Promise<AuditValues> {
  const links = (await readAuditParts(chat, realm.id, of)).flatMap(readChangedLinks);
  return { before: {}, after: { links } };
}

/** Whether an entry is about the users or links of one change, which it counts. */
export function isOfMany(action: AuditAction): boolean {
  return /^(users|links)_/.test(action);
}

/** Describes the lists of a change: what was added, removed or changed, or the new order. */
function toLists(
  reader: DetailReader,
  { action, target: { kind }, details }: AuditLogEntry,
  values: AuditValues,
): readonly string[] {
  const { t } = reader.request;
  const { before, after } = values;
  return Object.entries(after).map(([name, later]) => {
    // Of removed members, the values name who was in the group before.
    const ids = name === "order" ? toIds(later) : [...toIds(before[name]), ...toIds(later)];
    const shown = name === "links"
      ? describeLinks(reader, readChangedLinks(values), { action, count: Number(details["count"]) })
      : describeValue(reader, { kind, name }, ids);
    return t("{label}: {value}", { label: labelOf(reader, name), value: shown ?? "" });
  });
}

const changedLinks = z.array(z.object({
  name: z.string(),
  details: record(z.union([z.string(), z.tuple([z.string(), z.string()])])),
}));

/** Returns the links that the values of an entry name, with what changed of each. */
export function readChangedLinks({ after }: AuditValues): z.infer<typeof changedLinks> {
  return changedLinks.safeParse(after["links"]).data ?? [];
}

/** Describes the first links of an entry with what changed of each; `count` includes those without a name. */
function describeLinks(
  reader: DetailReader,
  links: ReturnType<typeof readChangedLinks>,
  { action, count }: { action: AuditAction; count: number },
): string {
  // An entry whose links were all disabled, or all enabled, says so in its sentence.
  const isShown = (field: string) => field !== "disabled" || action === "links_changed";
  const names = links.slice(0, MAX_NAMED).map(({ name, details }) => {
    const changes = Object.entries(details).filter(([field]) => isShown(field)).map(([field, detail]) =>
      toSentence(reader, { kind: "link", name: field }, detail)
    );
    return changes.length === 0 ? name : `${name} (${changes.join("; ")})`;
  });
  return listSome(reader.request, names, names.length, count);
}

/** A field of an object. */
interface Field {
  readonly kind: AuditKind;
  readonly name: string;
}

function toSentence(reader: DetailReader, field: Field, detail: AuditDetail): string {
  const { t } = reader.request;
  const label = labelOf(reader, field.name);
  const show = (text: string) => describeValue(reader, field, parseDetail(field, text));
  const [from, to] = typeof detail === "string"
    ? [undefined, detail === "" ? undefined : show(detail)]
    : detail.map(show);
  if (to === undefined || from === to) return t("{label} changed", { label });
  // A value that was never set follows the default, which may have changed since.
  return from === undefined
    ? t("{label}: {value}", { label, value: to })
    : t("{label}: {from} → {to}", { label, from, to });
}

/** Returns the value of a detail: texts are stored as they are, other values as JSON, null as empty text. */
function parseDetail({ kind, name }: Field, text: string): unknown {
  if (isPermission(name)) return parseJson(text);
  const isNumber = name === "message_retention_days" || name.endsWith("_limit_seconds");
  const isJson = isNumber || toNamedKind(kind, name) !== null || name === "alternative_url_templates";
  if (!isJson) return text;
  return text === "" ? null : parseJson(text);
}

export function labelOf({ request: { t } }: DetailReader, name: string): string {
  return t(LABELS[name] ?? toWords(name));
}

function toWords(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");
}

const GROUP_FIELDS: ReadonlySet<string> = new Set(["group_ids", "add_subgroups", "delete_subgroups"]);
const USER_FIELDS: ReadonlySet<string> = new Set(["add", "delete", "users", "bots", "bot_owner_id"]);

/** Returns the kind of records that a field names by id, alone or in a list; null for other fields. */
function toNamedKind(kind: AuditKind, field: string): NamedKind | null {
  if (/^channel_ids$|_(stream|channel)_id$/.test(field)) return "channel";
  if (GROUP_FIELDS.has(field)) return "group";
  if (USER_FIELDS.has(field)) return "user";
  if (field === "folder_id") return "folder";
  const isOrdered = kind === "folder" || kind === "linkifier" || kind === "profile_field";
  return field === "order" && isOrdered ? kind : null;
}

/** Whether a field is a list of ids; its details may have the length of the list only. */
function isListName(name: string): boolean {
  return name === "order" || name.endsWith("_ids") || /^((add|delete)(_subgroups)?|users|bots)$/.test(name);
}

const groupSetting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);
const fieldData = record(z.union([z.string(), z.object({ text: z.string() })]));

/** Describes the value of a field; undefined when it cannot be described. */
export function describeValue(
  reader: DetailReader,
  { kind, name }: Field,
  value: unknown,
): string | undefined {
  const { request, permissions } = reader;
  const { t, formatter } = request;
  if (value === undefined) return undefined;
  if (isPermission(name)) {
    const setting = groupSetting.safeParse(value).data;
    if (setting === undefined) return undefined;
    const ids = typeof setting === "number" ? [] : setting.direct_members;
    const users = ids.map((id) => ({ full_name: nameOfRecord(reader, "user", id) }));
    return describePermission(request, { permissions, value: setting, users });
  }
  const named = toNamedKind(kind, name);
  if (Array.isArray(value)) return listNames(reader, named, value);
  if (named !== null && typeof value === "number" && !isListName(name)) {
    return value === NO_CHANNEL ? t("none") : nameOfRecord(reader, named, value);
  }
  if (name === "message_retention_days") {
    if (typeof value !== "number") return t("Default");
    return value === UNLIMITED_RETENTION ? t("unlimited") : describeDuration(request, value * 86_400);
  }
  if (name.endsWith("_limit_seconds")) {
    return typeof value === "number" ? describeDuration(request, value) : t("unlimited");
  }
  if (name === "field_data" && typeof value === "string" && value !== "") {
    // The choices of a profile field, or the parts of its external account.
    const choices = fieldData.safeParse(parseJson(value)).data;
    return choices &&
      formatter.list(Object.values(choices).map((one) => typeof one === "string" ? one : one.text));
  }
  return toPlain(request, name, value);
}

/** Maximum number of names that are listed; further ones are counted. */
const MAX_NAMED = 12;

function listNames(reader: DetailReader, named: NamedKind | null, value: readonly unknown[]): string {
  const { t } = reader.request;
  const names = named === null
    ? value.map(String)
    : toIds(value).map((id) => nameOfRecord(reader, named, id));
  return names.length === 0 ? t("none") : listSome(reader.request, names, MAX_NAMED);
}

/** Texts of values by field. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  topics_policy: TOPICS_POLICIES,
  email_confirmation: EMAIL_CONFIRMATIONS,
  role: ROLE_TITLES,
};

function toPlain({ t }: AdminRequest, name: string, value: unknown): string {
  const text = value === null ? "" : String(value);
  if (text === "") return t("none");
  if (name === "settings") return text.split(", ").map(toWords).join(", ");
  if (text === "true") return t("Yes");
  if (text === "false") return t("No");
  const known = VALUES[name]?.[text];
  return known === undefined ? text : t(known);
}
