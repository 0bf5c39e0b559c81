import {
  readReversal,
  type ReversalPreview,
  revertChange,
  type RevertedField,
} from "@/lib/chat/audit/revert_change.ts";
import type { AuditKind } from "@/lib/chat/audit/model.ts";
import { toIds } from "@/lib/chat/audit/reversals.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { SEEN_FIELD } from "../revision.ts";
import { labelOf, toShownDetails } from "./audit_details.ts";
import { type AuditActor, type ShownChange, toActor, toShown } from "./audit_page.ts";
import {
  type DetailReader,
  loadDetailReader,
  toNamedKind,
  withChannelNames,
  withNames,
} from "./detail_reader.ts";
import { toShownValue } from "./shown_values.ts";

/** A field that a reversal changes. */
export interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly current: string;
  readonly earlier: string;
  /** Value that the reverted change had set, if another one followed; null otherwise. */
  readonly changedTo: string | null;
}

/** Data of the page that confirms a reversal. */
export interface RevertData {
  readonly change: ShownChange;
  /** Null for a change that was not reverted. */
  readonly reverted: { readonly actor: AuditActor; readonly time: number } | null;
  /** Null when the changed object no longer exists. */
  readonly fields: readonly ShownField[] | null;
  /** Labels of changed fields that are not stored. */
  readonly leftOut: readonly string[];
  readonly seen: string;
}

/** The page that confirms reverting a change of the audit log. */
export const revertPage: AdminPageSpec<RevertData> = {
  load: loadReversal,
  actions: { revert: { run: revert } },
};

async function loadReversal(request: AdminRequest): Promise<RevertData | null> {
  const { chat, caller } = request;
  const preview = await readReversal(chat, caller, entryId(request));
  if (preview === null) return null;
  const { entry, reverted, fields } = preview;
  const { kind } = entry.target;
  const details = await withNames(await loadDetailReader(request), [entry]);
  const reader = await withChannelNames(details, listChannelIds(kind, fields ?? []));
  const shown = { ...entry, sentences: toShownDetails(reader, entry) };
  return {
    change: toShown(reader, shown, reverted !== null),
    reverted: reverted === null
      ? null
      : { actor: toActor(reader, reverted.acting_user_id), time: reverted.time },
    fields: fields?.map((field) => toField(reader, kind, field)) ?? null,
    leftOut: listLeftOut(reader, preview),
    seen: preview.revision,
  };
}

function entryId({ ctx }: AdminRequest): string {
  return ctx.params["id"] ?? "";
}

function listChannelIds(kind: AuditKind, fields: readonly RevertedField[]): readonly number[] {
  return fields.filter(({ name }) => toNamedKind(kind, name) === "channel")
    .flatMap(({ earlier, current, changed }) => toIds([earlier, current, changed].flat()));
}

function toField(
  reader: DetailReader,
  kind: AuditKind,
  { name, earlier, current, changed, isChangedSince }: RevertedField,
): ShownField {
  const { nothing } = reader.request.messages.audit;
  const shown = (value: unknown) => toShownValue(reader, { kind, name, value }) ?? nothing;
  return {
    name,
    label: toLabel(reader, name),
    current: shown(current),
    earlier: shown(earlier),
    changedTo: isChangedSince ? shown(changed) : null,
  };
}

function toLabel(reader: DetailReader, name: string): string {
  const labels: Readonly<Record<string, string>> = reader.request.messages.audit.revert.fields;
  return Object.hasOwn(labels, name) ? labels[name] ?? name : labelOf(reader, name);
}

/** Lists the changed fields whose values are secrets, which the audit log does not store. */
function listLeftOut(
  reader: DetailReader,
  { entry: { action, details } }: ReversalPreview,
): readonly string[] {
  if (action !== "realm_changed") return [];
  return Object.entries(details).filter(([, detail]) => detail === "").map(([name]) => labelOf(reader, name));
}

async function revert(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, messages: { audit: { revert: text } } } = request;
  const id = entryId(request);
  const replacesLater = fields.text("replace") === "true";
  const seen = fields.text(SEEN_FIELD);
  try {
    await revertChange(chat, caller, { id, revision: seen, replacesLater });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "EXPECTATION_MISMATCH") throw error;
    const isStale = (await readReversal(chat, caller, id))?.revision !== seen;
    throw new FormRefusal(isStale ? { form: text.stale } : { replace: text.replaceNeeded });
  }
  return { flash: text.done, to: "/admin/audit" };
}
