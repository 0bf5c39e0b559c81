import type { ExplainedPerson } from "@/lib/admin/permissions/explain_permissions.ts";
import { useAdmin } from "../admin_view.ts";
import { DataTable } from "../DataTable.tsx";

/** Renders what a person can do, and each reason. */
export function ExplainedPermissions({ person }: { person: ExplainedPerson }) {
  const { t, messages, formatter } = useAdmin();
  const text = messages.permissions.explain;
  const { name } = person;
  const notes = [
    ...(person.isActive ? [] : [formatter.t(text.deactivated, { name })]),
    ...(person.isArchived ? [t("This channel is archived. Nobody can send messages to it.")] : []),
    ...(person.canRead ? [] : [formatter.t(text.unread, { name })]),
  ];
  const columns = [
    { title: text.permission },
    { title: t("Allowed"), isShort: true },
    { title: t("Why"), isWide: true, isClear: true },
  ];
  const rows = person.permissions.map(({ setting, label, isAllowed, reasons }) => ({
    id: setting,
    isFaint: !isAllowed,
    cells: [
      <span key="label" class="font-medium">{label}</span>,
      <span key="allowed" class={isAllowed ? "font-strong" : ""}>
        {isAllowed ? messages.common.yes : messages.common.no}
      </span>,
      <ul key="why" class="grid gap-y-1 text-small">
        {[...new Set(reasons)].map((reason) => <li key={reason} dir="auto" class="break-words">{reason}</li>)}
      </ul>,
    ],
  }));
  return (
    <>
      {notes.map((note) => <p key={note} class="mb-4 rounded-control bg-wash px-4 py-2.5">{note}</p>)}
      <DataTable caption={t("Permissions")} columns={columns} rows={rows} />
    </>
  );
}
