import { useFormState } from "@/components/admin/form_state.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { Confirm } from "@/lib/admin/declare/confirm.tsx";
import { AUDIT } from "@/lib/admin/events/shown_events.ts";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { ChangeSentence } from "@/components/admin/audit/ChangeSentence.tsx";
import { CheckField } from "@/components/admin/fields.tsx";
import { type AuditKind, toIds } from "@/lib/chat/organization/audit/model.ts";

import {
  readReversal,
  type ReversalPreview,
  revertChange,
  type RevertedField,
} from "@/lib/chat/register/audit/revert_change.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { labelOf, toShownDetails } from "@/lib/admin/audit/audit_details.ts";
import { toActor, toShown } from "@/lib/admin/audit/shown_change.ts";
import {
  type DetailReader,
  loadDetailReader,
  toNamedKind,
  toShownValue,
  withChannelNames,
  withNames,
} from "@/lib/admin/audit/detail_reader.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { SEEN_FIELD } from "@/lib/admin/revision.ts";

/** A field that a reversal changes. */
interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly current: string;
  readonly earlier: string;
  /** Value that the reverted change had set, if another one followed; null otherwise. */
  readonly changedTo: string | null;
}

type RevertData = NonNullable<Awaited<ReturnType<typeof loadReversal>>>;

async function loadReversal(request: AdminRequest) {
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
    label: labelOf(reader, name),
    current: shown(current),
    earlier: shown(earlier),
    changedTo: isChangedSince ? shown(changed) : null,
  };
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
    throw new FormRefusal(
      isStale
        ? { form: text.stale }
        : { replace: request.t("Select “Replace the newer values”, or cancel.") },
    );
  }
  return { flash: request.t("Change reverted."), to: "/admin/audit" };
}

/** The page that confirms reverting a change of the audit log, or says why it cannot be reverted. */
export const revertPage = adminPage({
  path: "/admin/audit/[id]/revert",
  load: loadReversal,
  title: ({ reverted }, _, { audit: { revert } }) => reverted === null ? revert.title : revert.revertedTitle,
  above: (_, __, { audit }) => [{ path: "/admin/audit", name: audit.title }],
  shows: AUDIT,
  forms: [{ action: "revert", run: revert }],
  view: ({ data }) => {
    const text = useAdmin().messages.audit.revert;
    const state = useFormState({ action: "revert" });
    const { fields, reverted } = data;
    if (fields === null || fields.length === 0 || reverted !== null) return <Unavailable data={data} />;
    const hasConflict = fields.some(({ changedTo }) => changedTo !== null);
    return (
      <Confirm
        action="revert"
        button={text.button}
        back="/admin/audit"
        hidden={{ seen: data.seen }}
        isHarmless={!hasConflict}
        fields={hasConflict && (
          <CheckField state={state} name="replace" label={text.replace} hint={text.conflict} stored={false} />
        )}
      >
        <RevertedChange data={{ ...data, change: { ...data.change, details: [] } }} />
        <FieldTable fields={fields} />
        <LeftOut fields={data.leftOut} />
      </Confirm>
    );
  },
});

/** Renders a change that cannot be reverted now, and why. */
function Unavailable({ data }: { data: RevertData }) {
  const { t, messages, formatter } = useAdmin();
  const text = messages.audit.revert;
  const { fields, reverted } = data;
  const reason = reverted !== null
    ? t("{actor} reverted this change on {time}.", {
      actor: reverted.actor.name,
      time: formatter.moment(reverted.time),
    })
    : fields === null
    ? text.gone
    : t("There is nothing to revert: the values are the earlier ones again.");
  return (
    <div class="grid max-w-[58ch] gap-4">
      <RevertedChange data={data} />
      <p>{reason}</p>
    </div>
  );
}

/** Renders the change with its author and time. */
function RevertedChange({ data: { change } }: { data: RevertData }) {
  const { formatter } = useAdmin();
  return (
    <div>
      <ChangeSentence change={change} />
      <p class="mt-1 text-small text-soft">
        <bdi>{change.actor.name}</bdi> ·{" "}
        <time dateTime={new Date(change.time).toISOString()}>{formatter.moment(change.time)}</time>
      </p>
    </div>
  );
}

function FieldTable({ fields }: { fields: readonly ShownField[] }) {
  const { t } = useAdmin();
  const rows = fields.map(({ name, label, current, earlier, changedTo }) => ({
    id: name,
    cells: [
      <span key="label" class="font-medium">{label}</span>,
      <span key="current" class="grid">
        <bdi>{current}</bdi>
        {changedTo !== null && (
          <span class="text-small text-accent">
            {t("Changed again since. This change had set: {value}", { value: changedTo })}
          </span>
        )}
      </span>,
      <bdi key="earlier">{earlier}</bdi>,
    ],
  }));
  const columns = [{ title: t("Setting") }, { title: t("Now") }, { title: t("After reverting") }];
  return <DataTable caption={t("Values")} columns={columns} rows={rows} />;
}

/** Renders the names of fields that stay as they are. */
function LeftOut({ fields }: { fields: readonly string[] }) {
  const { t, formatter } = useAdmin();
  if (fields.length === 0) return null;
  const text = t("Not stored in the audit log, so it stays as it is: {fields}.", {
    fields: formatter.list(fields),
  });
  return <p class="text-soft">{text}</p>;
}
