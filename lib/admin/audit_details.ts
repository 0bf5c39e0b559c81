import { z } from "zod";
import type { AuditDetail, AuditRecord } from "@/lib/chat/audit/change.ts";
import type { PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import type { Directory } from "@/lib/chat/users/directory.ts";
import { ROLES } from "@/lib/chat/users/user.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { AdminRequest } from "./admin_request.ts";
import { describePermission } from "./permission_words.ts";

/** What details are read with. */
export interface DetailReader {
  readonly request: AdminRequest;
  readonly directory: Directory;
  readonly permissions: PermissionContext;
}

const groupSetting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

/** The details of a change as sentences, one for each. */
export function toShownDetails(reader: DetailReader, { details }: AuditRecord): readonly string[] {
  return Object.entries(details).map(([name, detail]) => toSentence(reader, name, detail));
}

function toSentence(reader: DetailReader, name: string, detail: AuditDetail): string {
  const { words, speech } = reader.request;
  const label = labelOf(reader, name);
  if (typeof detail !== "string") {
    const [from, to] = detail.map((text) => toWords(reader, name, text));
    if (to === undefined || from === to) return speech.say(words.audit.changed, { label });
    // What was never decided is as it is by default, which may be another today.
    return from === undefined
      ? speech.say(words.audit.value, { label, value: to })
      : speech.say(words.audit.fromTo, { label, from, to });
  }
  const value = detail === "" ? undefined : toWords(reader, name, detail);
  return value === undefined
    ? speech.say(words.audit.changed, { label })
    : speech.say(words.audit.value, { label, value });
}

function labelOf({ request: { words } }: DetailReader, name: string): string {
  const known: Readonly<Record<string, string>> = words.audit.details;
  if (Object.hasOwn(known, name)) return known[name] ?? name;
  const { realm, channel, user_group } = words.permissions.settings;
  return (realm[name] ?? channel[name] ?? user_group[name])?.label ?? name.replaceAll("_", " ");
}

/** A value in words; undefined where it cannot be told. */
function toWords(
  { request, directory, permissions }: DetailReader,
  name: string,
  text: string,
): string | undefined {
  const { words } = request;
  if (name.endsWith("_group") || name === "can_create_groups" || name === "can_manage_all_groups") {
    const value = groupSetting.safeParse(parseJson(text)).data;
    if (value === undefined) return undefined;
    const ids = typeof value === "number" ? [] : value.direct_members;
    const users = ids.flatMap((id) => directory.byId.get(id) ?? []);
    return describePermission(request, { permissions, value, users });
  }
  if (text === "") return words.audit.nothing;
  if (text === "true") return words.common.yes;
  if (text === "false") return words.common.no;
  if (name === "bot_owner_id") return directory.byId.get(Number(text))?.full_name ?? text;
  const role = name === "role" ? ROLES.find((known) => String(known) === text) : undefined;
  return role === undefined ? text : words.shell.roles[role];
}
