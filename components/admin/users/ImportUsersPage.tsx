import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ImportData } from "@/lib/admin/users/import_page.ts";
import { PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { FieldFrame, getAriaAttributes } from "../FieldFrame.tsx";
import { formState } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";
import { Panel } from "../Panel.tsx";

/** Renders the form that uploads a file with users. */
export function ImportUsersPage({ data, refused }: AdminPageData<ImportData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  const state = formState(refused, "upload");
  const problem = state.problem("file");
  const notes = { id: "file", hint: formatter.t(text.importHint, { count: data.max }), problem };
  return (
    <>
      <AdminHeading
        title={text.importLink}
        above={[{ path: "/admin/users", name: text.title }]}
        lede={text.importLede}
      />
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
        {text.importPasswords} {data.hasMail && text.importPasswordsByMail}
      </p>
    </>
  );
}

const EXAMPLE = `email,full_name,role
ada@example.com,Ada Meadow,administrator
noor@example.com,Noor Lake,member`;
