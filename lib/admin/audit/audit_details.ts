import {
  type AuditDetail,
  type AuditKind,
  type AuditValues,
  toIds,
} from "@/lib/chat/organization/audit/model.ts";

import type { AuditLogEntry } from "@/lib/chat/organization/audit/store.ts";
import { isPermission } from "@/lib/chat/organization/permissions/model/registry.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import { type DetailReader, toNamedKind, toShownValue, toWords } from "./detail_reader.ts";

/** A field of a change. */
interface ChangedField {
  readonly kind: AuditKind;
  readonly name: string;
}

/** Renders the details of a change, one sentence each. */
export function toShownDetails(
  reader: DetailReader,
  { id, target: { kind }, details }: AuditLogEntry,
): readonly string[] {
  const values = reader.values.get(id);
  const isShown = (name: string) =>
    "bulk_action" in details ? name !== "bulk_action" && name !== "count" : values === undefined;
  return [
    ...Object.entries(details).filter(([name]) => isShown(name))
      .map(([name, detail]) => toSentence(reader, { kind, name }, detail)),
    ...(values === undefined ? [] : toLists(reader, kind, values)),
  ];
}

/** Renders the lists of a change: the users and groups that were added or removed, or the new order. */
function toLists(reader: DetailReader, kind: AuditKind, { before, after }: AuditValues): readonly string[] {
  const { t } = reader.request;
  return Object.entries(after).map(([name, value]) => {
    // Of removed members, the values name who was in the group before.
    const ids = name === "order" ? toIds(value) : [...toIds(before[name]), ...toIds(value)];
    const label = name === "order" ? t("Order") : labelOf(reader, name);
    return t("{label}: {value}", {
      label,
      value: toShownValue(reader, { kind, name, value: ids }) ?? "",
    });
  });
}

function toSentence(reader: DetailReader, field: ChangedField, detail: AuditDetail): string {
  const { t } = reader.request;
  const label = labelOf(reader, field.name);
  const show = (text: string) => toShownValue(reader, { ...field, value: parseDetail(field, text) });
  if (typeof detail !== "string") {
    const [from, to] = detail.map(show);
    if (to === undefined || from === to) return t("{label} changed", { label });
    // A value that was never set follows the default, which may have changed since.
    return from === undefined
      ? t("{label}: {value}", { label, value: to })
      : t("{label}: {from} → {to}", { label, from, to });
  }
  const value = detail === "" ? undefined : show(detail);
  return value === undefined ? t("{label} changed", { label }) : t("{label}: {value}", { label, value });
}

/** Returns the value of a detail: texts are stored as they are, other values as JSON, null as empty text. */
function parseDetail({ kind, name }: ChangedField, text: string): unknown {
  if (isPermission(name)) return parseJson(text);
  const isNumber = name === "message_retention_days" || name.endsWith("_limit_seconds");
  const isJson = isNumber || toNamedKind(kind, name) !== null || name === "alternative_url_templates";
  if (!isJson) return text;
  return text === "" ? null : parseJson(text);
}

/** Returns the label of a field. */
export function labelOf({ request: { messages } }: DetailReader, name: string): string {
  const known: Readonly<Record<string, string>> = messages.audit.details;
  if (Object.hasOwn(known, name)) return known[name] ?? name;
  const { realm, channel, user_group } = messages.permissions.settings;
  const settings: Readonly<Record<string, { readonly label: string }>> = {
    ...user_group,
    ...channel,
    ...realm,
    ...messages.organization.fields,
  };
  return settings[name]?.label ?? toWords(name);
}
