import { FieldFrame, getAriaAttributes } from "@/components/admin/FieldFrame.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { createBulkAction } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { MIB } from "@/lib/chat/files/model.ts";
import { foldEmail } from "@/lib/chat/users/model.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import { PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { form, type Values } from "../../declare/form.tsx";
import { adminPage } from "../../declare/page.tsx";
import { ACCOUNT } from "../../events/shown_events.ts";
import { useTexts } from "../../declare/texts.ts";
import { MAX_IMPORTED, parseUserCsv } from "../../users/parse_user_csv.ts";
import { usersPage } from "./users.tsx";

const texts = {
  importLink: "Import users",
  importLede: "Create accounts from a CSV file. You see a preview before anything changes.",
  importFile: "CSV file",
  importHint:
    "UTF-8 text with the columns email, full_name and, optionally, role. Up to {count} users and 1 MiB.",
  importPreview: "Preview",
  importExample: "Example",
  importPasswords:
    "Imported users have no password yet. After the import, download a sign-in link for each of them and pass it on.",
  importPasswordsByMail: "They can also choose one with “Forgot your password?” on the sign-in page.",
  importMissing: "Choose a CSV file.",
  importKnown: "Everyone in this file already has an account.",
  importReady: "Check the accounts below, then create them.",
  importLeftOut: {
    one: "{count} row is left out: its address already has an account.",
    other: "{count} rows are left out: their addresses already have accounts.",
  },
};

/** Prepares the import of a file; the page of the bulk action shows the preview. */
const upload = form<Values>({
  action: "upload",
  refusedAt: "file",
  run: async (request, _, submitted) => {
    const { chat, realm, caller, t } = request;
    const file = submitted.files.find(({ length }) => length > 0);
    if (file === undefined) throw new FormRefusal({ file: t(texts.importMissing) });
    const { users, problems } = await parseUserCsv(request, file);
    if (problems.length > 0) throw new FormRefusal({ file: problems.join("\n") });
    const known = new Set((await listUsers(chat, realm.id)).map((user) => foldEmail(user.delivery_email)));
    const items = users.filter(([, email]) => !known.has(foldEmail(email)));
    if (items.length === 0) throw new FormRefusal({ file: t(texts.importKnown) });
    const { id } = await createBulkAction(chat, caller, { change: { kind: "import" }, items, isDraft: true });
    const count = users.length - items.length;
    const flash = count === 0 ? t(texts.importReady) : t(texts.importLeftOut, { count });
    return { flash, to: `/admin/bulk-actions/${id}` };
  },
});

/** The page that imports users from a CSV file. */
export const importUsersPage = adminPage({
  path: "/admin/users/import",
  load: ({ chat }: AdminRequest) => Promise.resolve({ hasMail: chat.config.isMailDelivered }),
  title: texts.importLink,
  find: { words: "upload csv" },
  lede: texts.importLede,
  above: [usersPage],
  shows: ACCOUNT,
  forms: [upload],
  files: { maxBytes: MIB, tooLarge: "The file is larger than 1 MiB.", action: upload.action },
  view: ({ data: { hasMail } }) => {
    const { text, t } = useTexts(texts);
    const state = useFormState(upload);
    const notes = {
      id: "file",
      hint: t(text.importHint, { count: MAX_IMPORTED }),
      problem: state.problem("file"),
    };
    return (
      <>
        <Panel title={text.importLink}>
          <form method="post" encType="multipart/form-data" noValidate class="grid max-w-[40rem] gap-4">
            <input type="hidden" name="action" value="upload" />
            <FormProblem problem={state.problem("form")} />
            <div class="[&_[role=alert]]:whitespace-pre-line">
              <FieldFrame {...notes} label={text.importFile}>
                <input
                  {...getAriaAttributes(notes)}
                  type="file"
                  name="file"
                  accept=".csv,text/csv"
                  class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
                />
              </FieldFrame>
            </div>
            <div>
              <button type="submit" class={PRIMARY_BUTTON}>{text.importPreview}</button>
            </div>
          </form>
        </Panel>
        <h2 class="mb-2">{text.importExample}</h2>
        <pre class="max-w-[40rem] rounded-control break-words whitespace-pre-wrap bg-raised p-4 font-mono text-small"><code>{EXAMPLE}</code></pre>
        <p class="mt-3 max-w-[58ch] text-small text-soft">
          {text.importPasswords} {hasMail && text.importPasswordsByMail}
        </p>
      </>
    );
  },
});

const EXAMPLE = `email,full_name,role
ada@example.com,Ada Meadow,administrator
noor@example.com,Noor Lake,member`;
