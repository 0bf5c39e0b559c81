import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { ImportLinkifiersData, ImportPreview } from "@/lib/admin/linkifiers/import_page.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { DataTable } from "../DataTable.tsx";
import { TextArea } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";

const LIST = "/admin/linkifiers";

/** Renders the page that imports linkifiers: the text, and the preview of what it adds. */
export function ImportLinkifiersPage({ data, refused }: AdminPageData<ImportLinkifiersData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.linkifiers.import;
  const state = formState(refused, "import");
  const preview = refused?.result?.["preview"];
  const isReady = isPreview(preview) && preview.added > 0;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        above={[{ path: LIST, name: messages.linkifiers.title }]}
      />
      {isPreview(preview) && <Preview preview={preview} refused={refused} />}
      <Panel title={text.title}>
        <AdminForm
          state={state}
          button={text.preview}
          look={isReady ? QUIET_BUTTON : PRIMARY_BUTTON}
          beside={<CancelLink to={LIST} />}
        >
          <TextArea
            state={state}
            name="text"
            label={text.field}
            hint={formatter.t(text.hint, { count: data.limit })}
            rows={10}
            isMono
          />
        </AdminForm>
      </Panel>
      <h2 class="mb-2">{text.example}</h2>
      <pre class="max-w-[40rem] rounded-control break-words whitespace-pre-wrap bg-raised p-4 font-mono text-small"><code>{EXAMPLE}</code></pre>
    </>
  );
}

const EXAMPLE = `pattern,url_template,example_input
#(?P<id>[0-9]+),https://tracker.example/{id},#42`;

function Preview({ preview, refused }: { preview: ImportPreview; refused: RefusedForm | null }) {
  const { messages, formatter } = useAdmin();
  const text = messages.linkifiers.import;
  const { linkifiers, added, confirmed } = preview;
  const rows = linkifiers.map(({ pattern, urlTemplate, isKnown, problems }, at) => ({
    id: String(at),
    isFaint: isKnown,
    cells: [
      <bdi key="pattern" class="font-mono text-small">{pattern}</bdi>,
      <bdi key="url" class="font-mono text-small">{urlTemplate}</bdi>,
      isKnown
        ? text.known
        : problems.length === 0
        ? text.isNew
        : <span key="problems" class="text-accent">{problems.join(" ")}</span>,
    ],
  }));
  const columns = [
    { title: messages.linkifiers.pattern },
    { title: messages.linkifiers.urlTemplate },
    { title: text.result },
  ];
  return (
    <section class="mb-9 grid gap-4" aria-label={text.previewTitle}>
      <h2 tabIndex={-1} autofocus>{text.previewTitle}</h2>
      <DataTable caption={text.previewTitle} columns={columns} rows={rows} />
      {added === 0 ? <p>{text.nothing}</p> : (
        <AdminForm
          state={formState(null, "import")}
          button={formatter.t(text.button, { count: added })}
          hidden={{ text: formState(refused, "import").value("text"), confirmed }}
        />
      )}
    </section>
  );
}

function isPreview(value: unknown): value is ImportPreview {
  return typeof value === "object" && value !== null && "linkifiers" in value && "confirmed" in value;
}
