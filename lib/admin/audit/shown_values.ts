import { z } from "zod";
import type { AuditKind } from "@/lib/chat/audit/model.ts";
import { isPermission, toIds } from "@/lib/chat/audit/reversals/reversal.ts";
import { UNLIMITED_RETENTION } from "@/lib/chat/channels/model/channel.ts";
import { listLinkifiers } from "@/lib/chat/linkifiers/store.ts";
import { NO_CHANNEL } from "@/lib/chat/organizations/model.ts";
import { parseFieldData } from "@/lib/chat/profile_fields/model/field_data.ts";
import { readFields } from "@/lib/chat/profile_fields/store.ts";
import { listShownChannels } from "../channels/channel_choices.ts";
import type { AdminRequest } from "../admin_request.ts";
import { nameOfGroup } from "../groups/group_form.ts";
import { type DetailReader, toMessages } from "./audit_details.ts";

/** Maximum number of names that are listed; further ones are counted. */
const MAX_NAMED = 12;

/** Names of the records to which values refer, by id. */
export interface ValueNames {
  /** Objects of the changed kind, for their order. */
  readonly ordered: ReadonlyMap<number, string>;
  readonly channels: ReadonlyMap<number, string>;
}

/** Reads the names that the values of a change refer to. */
export async function readValueNames(
  { request, folders }: DetailReader,
  kind: AuditKind,
): Promise<ValueNames> {
  const { chat, realm } = request;
  const [channels, linkifiers, fields] = await Promise.all([
    kind === "realm" ? listShownChannels(request) : [],
    kind === "linkifier" ? listLinkifiers(chat, realm.id) : [],
    kind === "profile_field" ? readFields(chat, realm.id) : [],
  ]);
  const byId = (records: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(records.map(({ id, name }) => [id, name]));
  const patterns = linkifiers.map(({ id, pattern }) => ({ id, name: pattern }));
  return {
    ordered: kind === "folder" ? folders : byId([...patterns, ...fields]),
    channels: byId(channels),
  };
}

/** Renders the value of a field for the page that confirms a reversal. */
export function toShownValue(
  reader: DetailReader & { readonly names: ValueNames },
  name: string,
  value: unknown,
): string {
  const { request, names } = reader;
  const text = request.messages.audit;
  if (Array.isArray(value)) return listNames(reader, name, value);
  if (name === "linkifier" || name === "playground") return toShownRecord(request, value);
  if (name.endsWith("_stream_id") || name.endsWith("_channel_id")) {
    const channel = names.channels.get(Number(value));
    return value === NO_CHANNEL
      ? text.nothing
      : channel === undefined
      ? toPlain(request, value)
      : `#${channel}`;
  }
  if (name === "message_retention_days") return toShownRetention(request, value);
  if (name.endsWith("_limit_seconds")) {
    return typeof value === "number"
      ? request.formatter.t(text.revert.seconds, { count: value })
      : text.revert.forever;
  }
  if (name === "field_data" && typeof value === "string") return toShownChoices(request, value);
  const stored = typeof value === "string" ? value : JSON.stringify(value ?? "");
  const shown = isPermission(name) || value !== null && value !== "" ? toMessages(reader, name, stored) : "";
  return shown === undefined || shown === "" ? toPlain(request, value) : shown;
}

function toPlain({ messages }: AdminRequest, value: unknown): string {
  return value === null || value === undefined || value === "" ? messages.audit.nothing : String(value);
}

function listNames(
  { request, directory, permissions, names }: DetailReader & { readonly names: ValueNames },
  name: string,
  value: readonly unknown[],
): string {
  const { messages, formatter } = request;
  const ids = toIds(value);
  const nameOf = (id: number) => {
    if (name.endsWith("subgroups")) return nameOfGroup(request, permissions, id);
    const found = name === "order" ? names.ordered.get(id) : directory.byId.get(id)?.full_name;
    return found ?? formatter.t(messages.audit.revert.isDeleted, { name: String(id) });
  };
  const all = ids.length > 0 ? ids.slice(0, MAX_NAMED).map(nameOf) : value.slice(0, MAX_NAMED).map(String);
  if (all.length === 0) return messages.audit.nothing;
  const others = value.length - all.length;
  return formatter.list(
    others === 0 ? all : [...all, formatter.t(messages.audit.revert.others, { count: others })],
  );
}

const namedRecord = z.object({ pattern: z.string().optional(), name: z.string().optional() });

function toShownRecord({ messages }: AdminRequest, value: unknown): string {
  const { absent, present } = messages.audit.revert;
  if (value === null) return absent;
  const record = namedRecord.safeParse(value).data;
  return record?.pattern ?? record?.name ?? present;
}

function toShownRetention({ messages, formatter }: AdminRequest, value: unknown): string {
  const text = messages.audit.revert;
  if (value === UNLIMITED_RETENTION) return text.forever;
  return typeof value === "number" ? formatter.t(text.days, { count: value }) : text.default;
}

/** Renders the choices of a profile field, or the parts of its external account. */
function toShownChoices(request: AdminRequest, data: string): string {
  if (data === "") return request.messages.audit.nothing;
  const texts = Object.values(parseFieldData(data)).flatMap((choice) =>
    typeof choice === "string" ? [choice] : choice["text"] ?? []
  );
  return request.formatter.list(texts);
}
