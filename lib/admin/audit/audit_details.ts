import { z } from "zod";
import type { AuditDetail, AuditRecord } from "@/lib/chat/audit/model.ts";
import { listChannelFolders } from "@/lib/chat/channel_folders/list_channel_folders.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import { ROLES } from "@/lib/chat/users/model.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { AdminRequest } from "../admin_request.ts";
import { describePermission } from "../permissions/permission_words.ts";

/** Context for rendering details. */
export interface DetailReader {
  readonly request: AdminRequest;
  readonly directory: Directory;
  readonly permissions: PermissionContext;
  /** Names of the channel folders. */
  readonly folders: ReadonlyMap<number, string>;
}

/** Reads the records that details refer to. */
export async function loadDetailReader(request: AdminRequest): Promise<DetailReader> {
  const { chat, realm } = request;
  const [directory, permissions, folders] = await Promise.all([
    readDirectory(chat, realm.id),
    peekPermissionContext(chat, realm),
    listChannelFolders(chat, realm, { includeArchived: true }),
  ]);
  return { request, directory, permissions, folders: new Map(folders.map(({ id, name }) => [id, name])) };
}

const groupSetting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

/** Renders the details of a change, one sentence each. */
export function toShownDetails(reader: DetailReader, { details }: AuditRecord): readonly string[] {
  return Object.entries(details).map(([name, detail]) => toSentence(reader, name, detail));
}

function toSentence(reader: DetailReader, name: string, detail: AuditDetail): string {
  const { messages, formatter } = reader.request;
  const label = labelOf(reader, name);
  if (typeof detail !== "string") {
    const [from, to] = detail.map((text) => toMessages(reader, name, text));
    if (to === undefined || from === to) return formatter.t(messages.audit.changed, { label });
    // A value that was never set follows the default, which may have changed since.
    return from === undefined
      ? formatter.t(messages.audit.value, { label, value: to })
      : formatter.t(messages.audit.fromTo, { label, from, to });
  }
  const value = detail === "" ? undefined : toMessages(reader, name, detail);
  return value === undefined
    ? formatter.t(messages.audit.changed, { label })
    : formatter.t(messages.audit.value, { label, value });
}

/** Returns the label of a field. */
export function labelOf({ request: { messages } }: DetailReader, name: string): string {
  const known: Readonly<Record<string, string>> = messages.audit.details;
  if (Object.hasOwn(known, name)) return known[name] ?? name;
  const { realm, channel, user_group } = messages.permissions.settings;
  return (realm[name] ?? channel[name] ?? user_group[name])?.label ?? name.replaceAll("_", " ");
}

/** Renders a value; undefined when it cannot be rendered. */
export function toMessages(
  { request, directory, permissions, folders }: DetailReader,
  name: string,
  text: string,
): string | undefined {
  const { messages } = request;
  if (name.endsWith("_group") || name === "can_create_groups" || name === "can_manage_all_groups") {
    const value = groupSetting.safeParse(parseJson(text)).data;
    if (value === undefined) return undefined;
    const ids = typeof value === "number" ? [] : value.direct_members;
    const users = ids.flatMap((id) => directory.byId.get(id) ?? []);
    return describePermission(request, { permissions, value, users });
  }
  if (text === "") return messages.audit.nothing;
  if (text === "true") return messages.common.yes;
  if (text === "false") return messages.common.no;
  if (name === "bot_owner_id") return directory.byId.get(Number(text))?.full_name ?? text;
  if (name === "folder_id") return folders.get(Number(text)) ?? text;
  const role = name === "role" ? ROLES.find((known) => String(known) === text) : undefined;
  return role === undefined ? text : messages.shell.roles[role];
}
