import { useAdmin } from "@/components/admin/admin_view.ts";
import { Table } from "@/components/admin/Table.tsx";
import type { ExplainedPerson } from "./explain_permissions.ts";

export function ExplainedPermissions({ person }: { person: ExplainedPerson }) {
  const { t } = useAdmin();
  const { user: { full_name: name, is_active }, channel, canRead, permissions } = person;
  const notes = [
    ...(is_active
      ? []
      : [t("{name} is deactivated and cannot do anything until the account is reactivated.", { name })]),
    ...(channel?.is_archived ? [t("This channel is archived. Nobody can send messages to it.")] : []),
    ...(canRead ? [] : [
      t("{name} cannot read this channel. Permissions about its messages have no effect there.", { name }),
    ]),
  ];
  return (
    <>
      {notes.map((note) => <p key={note} class="mb-4 rounded-control bg-wash px-4 py-2.5">{note}</p>)}
      <Table
        caption={t("Permissions")}
        items={permissions}
        keyOf={({ setting }) => setting}
        isFaint={({ isAllowed }) => !isAllowed}
        columns={[
          { title: t("Permission"), cell: ({ label }) => <span class="font-medium">{label}</span> },
          {
            title: t("Allowed"),
            isShort: true,
            cell: ({ isAllowed }) => (
              <span class={isAllowed ? "font-strong" : ""}>{isAllowed ? t("Yes") : t("No")}</span>
            ),
          },
          {
            title: t("Why"),
            isWide: true,
            isClear: true,
            cell: ({ reasons }) => (
              <ul class="grid gap-y-1 text-small">
                {[...new Set(reasons)].map((reason) => (
                  <li key={reason} dir="auto" class="break-words">{reason}</li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}
