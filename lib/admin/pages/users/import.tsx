import { Panel } from "@/components/admin/Panel.tsx";
import { createBulkAction, type RefusedRow } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { MIB } from "@/lib/chat/organization/files/model.ts";
import { foldEmail } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { file } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { ACCOUNT } from "@/lib/admin/events/shown_events.ts";
import { parseUserCsv } from "./parse_user_csv.ts";
import { usersPage } from "./users.tsx";

const texts = {
  passwords:
    "Imported users have no password yet. After the import, download a sign-in link for each of them and pass it on. All but guests are subscribed to the default channels within two minutes.",
  partial: {
    zero: "Check the users below, then create them.",
    one: "{count} row cannot be imported. Check the others below, then create their users.",
    other: "{count} rows cannot be imported. Check the others below, then create their users.",
  },
  more: { one: "{count} more row has a problem.", other: "{count} more rows have problems." },
};

/** Prepares the import of a file; the page of the bulk action shows the preview. */
const upload = form({
  action: "upload",
  button: "Preview",
  fields: {
    file: file({
      label: "CSV file",
      hint:
        "UTF-8 text with the columns email, full_name and, optionally, role. Up to 5,000 users and {count} MiB.",
      accept: ".csv,text/csv",
      missing: "Choose a CSV file.",
      upload: { maxBytes: MIB, tooLarge: "The file is larger than 1 MiB." },
    }),
  },
  refusedAt: "file",
  run: async (request, { file }) => {
    const { chat, realm, caller, t } = request;
    const known = new Set((await listUsers(chat, realm.id)).map((user) => foldEmail(user.delivery_email)));
    const { users: items, refused } = await parseUserCsv(request, file, known);
    if (items.length === 0) throw new FormRefusal({ file: listProblems(request, refused) });
    const draft = { change: { kind: "import" }, items, refused, isDraft: true } as const;
    const { id } = await createBulkAction(chat, caller, draft);
    const count = refused.length;
    return { flash: t(texts.partial, { count }), to: `/admin/bulk-actions/${id}` };
  },
});

/** Maximum number of problems of a file without any user that can be imported. */
const MAX_PROBLEMS = 20;

function listProblems({ t }: AdminRequest, refused: readonly RefusedRow[]): string {
  const lines = refused.slice(0, MAX_PROBLEMS).map(({ number, reason }) =>
    t("Row {number}: {reason}", { number, reason })
  );
  const count = refused.length - lines.length;
  return [...lines, ...(count > 0 ? [t(texts.more, { count })] : [])].join("\n");
}

export const importUsersPage = adminPage({
  path: "/admin/users/import",
  load: ({ chat }) => Promise.resolve({ hasMail: chat.config.isMailDelivered }),
  title: "Import users",
  find: { words: "upload csv bulk add invite many" },
  lede: "Create users from a CSV file. You see a preview before anything changes.",
  above: [usersPage],
  shows: ACCOUNT,
  forms: [upload],
  view: ({ data: { hasMail } }) => {
    const { text, t } = useTexts(texts);
    return (
      <>
        <Panel title={t("Import users")}>
          <Form of={upload} />
        </Panel>
        <h2 class="mb-2">{t("Example")}</h2>
        <pre class="max-w-[40rem] rounded-control break-words whitespace-pre-wrap bg-raised p-4 font-mono text-small"><code>{EXAMPLE}</code></pre>
        <p class="mt-3 max-w-[58ch] text-small text-soft">
          {text.passwords}{" "}
          {hasMail && t("They can also choose one with “Forgot your password?” on the sign-in page.")}
        </p>
      </>
    );
  },
});

const EXAMPLE = `email,full_name,role
ada@example.com,Ada Meadow,administrator
noor@example.com,Noor Lake,member`;
