import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { formState, useDraft } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import {
  importLinkifiers,
  MAX_IMPORTED_LINKIFIERS,
} from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import type { LinkifierRecord } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { LINKIFIERS } from "@/lib/admin/events/shown_events.ts";
import { revisionOf } from "@/lib/admin/revision.ts";
import { findProblems } from "./linkifier_preview.ts";
import { linkifiersPage } from "./linkifiers.tsx";
import { parseLinkifiers } from "./parse_linkifiers.ts";

const texts = {
  button: { one: "Add {count} linkifier", other: "Add {count} linkifiers" },
  done: { one: "{count} linkifier added.", other: "{count} linkifiers added." },
  invalid: "This is neither the JSON of an export nor CSV with the columns pattern and url_template.",
};

const load = form({
  action: "import",
  button: "Preview",
  fields: {
    text: text({
      label: "JSON or CSV",
      hint:
        `CSV needs the columns pattern and url_template, and can have the other fields of an export. Up to ${MAX_IMPORTED_LINKIFIERS} linkifiers.`,
      rows: 10,
      isMono: true,
      keepsBlanks: true,
    }),
  },
  refusedAt: "text",
  run: async (request, { text: content }, submitted) => {
    const { chat, realm, caller, t } = request;
    const parsed = parseLinkifiers(content);
    if (parsed === null || parsed.length === 0) throw new FormRefusal({ text: t(texts.invalid) });
    if (parsed.length > MAX_IMPORTED_LINKIFIERS) {
      throw new FormRefusal({
        text: t("Import no more than {count} linkifiers in one step.", { count: MAX_IMPORTED_LINKIFIERS }),
      });
    }
    // Browsers send line ends of a hidden field in another form than the server wrote them.
    const confirmed = revisionOf(content.replaceAll(/\r\n?/g, "\n"));
    if (submitted.text("confirmed") !== confirmed) {
      const linkifiers = toPreview(request, parsed, await listLinkifiers(chat, realm.id));
      return {
        flash: "",
        draft: <Preview linkifiers={linkifiers} content={content} confirmed={confirmed} />,
      };
    }
    const count = await importLinkifiers(chat, caller, parsed);
    return { flash: t(texts.done, { count }), to: linkifiersPage.path };
  },
});

type ParsedLinkifiers = NonNullable<ReturnType<typeof parseLinkifiers>>;

/** Returns the imported linkifiers with their problems; null for those whose pattern exists already. */
function toPreview(request: AdminRequest, imported: ParsedLinkifiers, stored: readonly LinkifierRecord[]) {
  return imported.map((fields, at) => {
    const isKnown = stored.some(({ pattern }) => pattern === fields.pattern);
    const others = imported.slice(0, at).map((other) => ({ id: 0, ...other }));
    return { ...fields, problems: isKnown ? null : findProblems(request, fields, others) };
  });
}

/** The page that imports linkifiers from JSON or CSV after a preview. */
export const importLinkifiersPage = adminPage({
  path: `${linkifiersPage.path}/import`,
  title: "Import linkifiers",
  lede: "Paste the JSON of an export, or CSV. New linkifiers are added after the others.",
  above: [linkifiersPage],
  shows: LINKIFIERS,
  load: () => Promise.resolve({}),
  forms: [load],
  view: () => {
    const { t } = useAdmin();
    const preview = useDraft(load);
    return (
      <>
        {preview}
        <Panel title={t("Import linkifiers")}>
          <Form
            of={load}
            look={preview === null ? PRIMARY_BUTTON : QUIET_BUTTON}
            beside={<CancelLink to={linkifiersPage.path} />}
          >
            {(fields) => fields.text}
          </Form>
        </Panel>
        <h2 class="mb-2">{t("Example")}</h2>
        <pre class="max-w-[40rem] rounded-control break-words whitespace-pre-wrap bg-raised p-4 font-mono text-small"><code>{EXAMPLE}</code></pre>
      </>
    );
  },
});

const EXAMPLE = `pattern,url_template,example_input
#(?P<id>[0-9]+),https://tracker.example/{id},#42`;

interface PreviewProps {
  readonly linkifiers: ReturnType<typeof toPreview>;
  readonly content: string;
  /** Confirms the import of exactly this content. */
  readonly confirmed: string;
}

function Preview({ linkifiers, content, confirmed }: PreviewProps) {
  const { t } = useAdmin();
  const title = t("Linkifiers in this text");
  const problems = linkifiers.map((linkifier) => linkifier.problems);
  const isValid = problems.every((some) => some === null || some.length === 0);
  const count = isValid ? problems.filter((some) => some !== null).length : 0;
  return (
    <section class="mb-9 grid gap-4" aria-label={title}>
      <h2 tabIndex={-1} autofocus>{title}</h2>
      <Table
        caption={title}
        items={linkifiers}
        isFaint={({ problems }) => problems === null}
        columns={[
          { title: t("Pattern"), cell: ({ pattern }) => <bdi class="font-mono text-small">{pattern}</bdi> },
          {
            title: t("URL template"),
            cell: ({ url_template }) => <bdi class="font-mono text-small">{url_template}</bdi>,
          },
          {
            title: t("Result"),
            cell: ({ problems }) =>
              problems === null
                ? t("The pattern exists already")
                : problems.length === 0
                ? t("Will be added")
                : <span class="text-accent">{problems.map(({ message }) => message).join(" ")}</span>,
          },
        ]}
      />
      {count === 0 ? <p>{t("Nothing can be added. Correct the text and preview it again.")}</p> : (
        <AdminForm
          state={formState(null, load.action)}
          button={t(texts.button, { count })}
          hidden={{ text: content, confirmed }}
        />
      )}
    </section>
  );
}
