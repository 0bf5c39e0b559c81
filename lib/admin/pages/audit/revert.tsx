import { useAdmin } from "@/components/admin/admin_view.ts";
import { Moment } from "@/components/admin/Moment.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { readReversal, revertChange } from "@/lib/chat/register/audit/revert_change.ts";
import { AppError } from "@/lib/core/errors.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { ChangeSentence } from "@/lib/admin/audit/ChangeSentence.tsx";
import { describeChange, describeValue, labelOf, loadDetailReader } from "@/lib/admin/audit/details.ts";
import { type ShownChange, toActor, toShown } from "@/lib/admin/audit/shown_change.ts";
import { Confirm } from "@/lib/admin/declare/confirm.tsx";
import { flag } from "@/lib/admin/declare/fields.tsx";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { AUDIT } from "@/lib/admin/events/shown_events.ts";
import { REVISION_FIELD } from "@/lib/admin/revision.ts";
import { auditPage } from "./audit.tsx";

type RevertData = NonNullable<Awaited<ReturnType<typeof loadReversal>>>;

async function loadReversal(request: AdminRequest) {
  const { chat, caller, t, formatter } = request;
  const preview = await readReversal(chat, caller, entryId(request));
  if (preview === null) return null;
  const { entry, reverted, fields } = preview;
  const reader = await loadDetailReader(request);
  const { target: { kind }, action, details } = entry;
  const label = (name: string) => labelOf(reader, name);
  // Values of secret settings are not stored.
  const secrets = Object.keys(details).filter((name) => action === "realm_changed" && details[name] === "");
  return {
    change: toShown(reader, await describeChange(reader, entry)),
    /** Why the change cannot be reverted now; null where it can. */
    obstacle: reverted !== null
      ? t("{actor} reverted this change on {time}.", {
        actor: toActor(reader, reverted.acting_user_id).name,
        time: formatter.moment(reverted.time),
      })
      : fields === null
      ? t("This change can no longer be reverted: what it changed no longer exists.")
      : fields.length === 0
      ? t("There is nothing to revert: the values are the earlier ones again.")
      : null,
    isReverted: reverted !== null,
    fields: (fields ?? []).map(({ name, current, earlier, changed, isChangedSince }) => {
      const show = (value: unknown) => describeValue(reader, { kind, name }, value) ?? t("none");
      return {
        ...{ id: name, label: label(name), current: show(current), earlier: show(earlier) },
        /** Value that the reverted change had set, if another one followed; null otherwise. */
        changedTo: isChangedSince ? show(changed) : null,
      };
    }),
    leftOut: secrets.map(label),
    revision: preview.revision,
  };
}

function entryId({ ctx }: AdminRequest): string {
  return ctx.params["id"] ?? "";
}

const CHANGED_MEANWHILE =
  "Someone else changed these values while this page was open. Check them and confirm again.";

const revert = form({
  action: "revert",
  fields: {
    replace: flag({
      label: "Replace the newer values",
      hint: "Some of these values were changed again later. Reverting replaces the newer values.",
    }),
  },
  run: async (request, { replace }, submitted) => {
    const { chat, caller, t } = request;
    const id = entryId(request);
    const revision = submitted.text(REVISION_FIELD);
    try {
      await revertChange(chat, caller, { id, revision, replacesLater: replace });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "EXPECTATION_MISMATCH") throw error;
      const isStale = (await readReversal(chat, caller, id))?.revision !== revision;
      throw new FormRefusal(
        isStale
          ? { form: t(CHANGED_MEANWHILE) }
          : { replace: t("Select “Replace the newer values”, or cancel.") },
      );
    }
    return { flash: t("Change reverted."), to: auditPage.path };
  },
});

/** The page that confirms reverting a change of the audit log, or says why it cannot be reverted. */
export const revertPage = adminPage({
  path: "/admin/audit/[id]/revert",
  load: loadReversal,
  title: ({ isReverted }, t) => t(isReverted ? "Reverted change" : "Revert this change?"),
  above: [auditPage],
  shows: AUDIT,
  forms: [revert],
  view: ({ data: { change, obstacle, fields, leftOut, revision } }) => {
    const { t, formatter } = useAdmin();
    const state = useFormState(revert);
    if (obstacle !== null) {
      return (
        <div class="grid max-w-[58ch] gap-4">
          <RevertedChange change={change} />
          <p>{obstacle}</p>
        </div>
      );
    }
    const hasConflict = fields.some(({ changedTo }) => changedTo !== null);
    return (
      <Confirm
        action={revert.action}
        button={t("Revert change")}
        back={auditPage.path}
        hidden={{ [REVISION_FIELD]: revision }}
        isHarmless={!hasConflict}
        fields={hasConflict && revert.renderFields(state, {}).replace}
      >
        <RevertedChange change={{ ...change, sentences: [] }} />
        <FieldTable fields={fields} />
        {leftOut.length > 0 && (
          <p class="text-soft">
            {t("Not stored in the audit log, so it stays as it is: {fields}.", {
              fields: formatter.list(leftOut),
            })}
          </p>
        )}
      </Confirm>
    );
  },
});

function RevertedChange({ change }: { change: ShownChange }) {
  return (
    <div>
      <ChangeSentence change={change} />
      <p class="mt-1 text-small text-soft">
        <bdi>{change.actor.name}</bdi> · <Moment time={change.time} />
      </p>
    </div>
  );
}

function FieldTable({ fields }: Pick<RevertData, "fields">) {
  const { t } = useAdmin();
  return (
    <Table
      caption={t("Values")}
      items={fields}
      columns={[
        { title: t("Setting"), cell: ({ label }) => <span class="font-medium">{label}</span> },
        {
          title: t("Now"),
          cell: ({ current, changedTo: value }) => (
            <span class="grid">
              <bdi>{current}</bdi>
              {value !== null && (
                <span class="text-small text-accent">
                  {t("Changed again since. This change had set: {value}", { value })}
                </span>
              )}
            </span>
          ),
        },
        { title: t("After reverting"), cell: ({ earlier }) => <bdi>{earlier}</bdi> },
      ]}
    />
  );
}
