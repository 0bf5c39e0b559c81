import { FAILED } from "@/lib/ui/texts.ts";
import { Link } from "@/components/Link.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import FormPreview from "@/islands/admin/FormPreview.tsx";
import {
  createLinkifier,
  deleteLinkifier,
  updateLinkifier,
} from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import type { LinkifierRecord } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { putInOrder } from "@/lib/admin/declare/order.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { LINKIFIERS } from "@/lib/admin/events/shown_events.ts";
import { REVISION_FIELD, revisionOf } from "@/lib/admin/revision.ts";
import { readLinkifierTemplate, TemplateList } from "./linkifier_gallery.tsx";
import {
  type LinkifierFormValues,
  previewForEditor,
  readTried,
  toFormValues,
  toLinkifierFields,
  tooLongFields,
} from "./linkifier_preview.ts";
import { LinkifierTester, TesterParts } from "./linkifier_tester.tsx";
import { LINKIFIER_ORDER, linkifiersPage } from "./linkifiers.tsx";

const LIST = "/admin/linkifiers";
const FORM = "linkifier";

type LinkifierData = NonNullable<Awaited<ReturnType<typeof loadEditor>>>;

async function findStored(request: AdminRequest): Promise<LinkifierRecord | null> {
  const all = await listLinkifiers(request.chat, request.realm.id);
  return all.find(({ id }) => id === pathId(request)) ?? null;
}

/** Loads the linkifier in the page's path, or a new one; null for a linkifier that does not exist. */
async function loadEditor(request: AdminRequest) {
  const { chat, realm, query, ctx } = request;
  const all = await listLinkifiers(chat, realm.id);
  const stored = all.find((one) => one.id === pathId(request)) ?? null;
  if (stored === null && ctx.params["id"] !== undefined) return null;
  const id = stored?.id ?? null;
  const template = stored === null ? readLinkifierTemplate(query.get("template")) : null;
  // Without script the form is sent to this address to be tried, and comes back as it was.
  const tried = readTried(id, (name) => query.get(name) ?? "");
  const isTried = query.getAll("action").at(-1) === "preview";
  const fields = isTried ? tried.fields : stored ?? template;
  return {
    id,
    stored,
    template,
    tried,
    values: toFormValues(fields),
    /** Revision of the linkifier when the form was first shown. */
    formRevision: query.get(REVISION_FIELD),
    preview: fields === null ? null : await previewForEditor(request, { ...tried, fields }),
    position: all.findIndex((one) => one === stored) + 1,
    count: all.length,
  };
}

const preview = form({
  action: "preview",
  run: async (request, _, submitted) => {
    const id = pathId(request);
    const tried = readTried(Number.isNaN(id) ? null : id, (name) => submitted.text(name));
    return { flash: "", draft: <TesterParts preview={await previewForEditor(request, tried)} /> };
  },
});

const pattern = {
  label: "Pattern",
  hint: "A regular expression. Use (?P<name>…) or (?<name>…) for the parts of the text that the URL needs.",
  isMono: true,
};
const fields = {
  pattern: text(pattern),
  url_template: text({
    label: "URL template",
    hint:
      "Write each named group in braces: {id}. {+path} keeps slashes, {?q} creates a query. Pattern and template must use the same names.",
    isMono: true,
  }),
  example_input: text({
    label: "Example text (optional)",
    hint: "Text that the pattern matches. It is shown in the list.",
    isMono: true,
  }),
  reverse_template: text({
    label: "Reverse template (optional)",
    hint:
      "Replaces a matching URL with this short text when it is pasted, such as #{id}. It must produce the example text.",
    isMono: true,
  }),
  alternative_url_templates: text({
    label: "Alternative URL templates (optional)",
    hint: "Other URLs that are also replaced when pasted, one on each line.",
    rows: 2,
    isMono: true,
  }),
};

const toFields = (values: LinkifierFormValues) => toLinkifierFields((name) => values[name]);
const check = (values: LinkifierFormValues, request: AdminRequest) =>
  tooLongFields(request, toFields(values));

const create = form({
  action: "create",
  button: "Add linkifier",
  fields: { ...fields, pattern: text({ ...pattern, takesFocus: true }) },
  check,
  run: async ({ chat, caller, t }, values) => {
    const wanted = toFields(values);
    await createLinkifier(chat, caller, wanted);
    return { flash: t("Linkifier {pattern} added.", { pattern: wanted.pattern }), to: LIST };
  },
});

const save = form({
  action: "save",
  button: "Save",
  fields,
  revision: findStored,
  check,
  run: async (request, values) => {
    const wanted = toFields(values);
    // Null is sent as an empty value, because a missing value stays unchanged.
    const sent = {
      ...wanted,
      example_input: wanted.example_input ?? "",
      reverse_template: wanted.reverse_template ?? "",
      alternative_url_templates: [...wanted.alternative_url_templates],
    };
    await updateLinkifier(request.chat, request.caller, { id: pathId(request), sent });
    return { flash: request.t("Linkifier {pattern} saved.", { pattern: wanted.pattern }), to: LIST };
  },
});

const move = form({
  action: "place",
  button: "Move",
  run: async (request, _, submitted) => {
    const { chat, realm, t } = request;
    const ids = (await listLinkifiers(chat, realm.id)).map(({ id }) => id);
    const wanted = submitted.int("place");
    if (wanted === null || wanted < 1 || wanted > ids.length) {
      throw new FormRefusal({ place: t("Enter a whole number from 1 to {count}.", { count: ids.length }) });
    }
    const id = pathId(request);
    const order = ids.filter((other) => other !== id);
    order.splice(wanted - 1, 0, id);
    return { ...await putInOrder(LINKIFIER_ORDER, request, order, id), to: LIST };
  },
});

/** The page that creates a linkifier, from nothing or a template. */
export const newLinkifierPage = adminPage({
  path: `${LIST}/new`,
  title: "Add linkifier",
  above: [linkifiersPage],
  load: loadEditor,
  forms: [create, preview],
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <section aria-labelledby="templates-title" class="mb-7">
          <h2 id="templates-title" class="mb-1 font-sans text-small font-strong">
            {t("Start from a template")}
          </h2>
          <TemplateList chosen={data.template?.slug ?? null} />
          {data.template !== null && (
            <p class="mt-3 text-small text-soft">{t("Replace the example.com URL with your own.")}</p>
          )}
        </section>
        <Editor data={data} />
      </>
    );
  },
});

/** The page of a linkifier: its fields, preview and position. */
export const linkifierPage = adminPage({
  path: `${LIST}/[id]`,
  load: loadEditor,
  title: "Edit linkifier",
  lede: ({ stored }) => (
    <bdi class="font-mono break-all [font-variant-ligatures:none]">{stored?.pattern}</bdi>
  ),
  above: [linkifiersPage],
  actions: ({ data }) => (
    <Link class={QUIET_BUTTON} href={`${LIST}/${data.id}/delete`}>{useAdmin().t("Delete linkifier")}</Link>
  ),
  shows: LINKIFIERS,
  forms: [save, preview, move],
  view: ({ data }) => (
    <>
      <Editor data={data} />
      {data.count > 1 && <PositionForm data={data} />}
    </>
  ),
});

function PositionForm({ data: { position, count } }: { data: LinkifierData }) {
  const { t } = useAdmin();
  const state = useFormState(move);
  return (
    <section aria-labelledby="place-title" class="max-w-[24rem]">
      <h2 id="place-title" class="mb-3">{t("Order")}</h2>
      <Form of={move} look={QUIET_BUTTON}>
        {() => (
          <TextInput
            state={state}
            name="place"
            type="number"
            label={t("Position")}
            hint={t("From 1 (first) to {count} (last).", { count })}
            stored={String(position)}
          />
        )}
      </Form>
    </section>
  );
}

function Editor({ data }: { data: LinkifierData }) {
  const { t } = useAdmin();
  const { stored } = data;
  const state = useFormState(stored === null ? create : save);
  const refused = useRefusedForm();
  const revision = revisionOf(stored);
  return (
    <Panel title={t(stored === null ? "Add linkifier" : "Edit linkifier")}>
      <Form
        of={stored === null ? create : save}
        stored={data.values}
        id={FORM}
        // A form that was refused because of a conflicting change can be sent again, as the page now shows
        // that change.
        hidden={stored === null
          ? {}
          : { [REVISION_FIELD]: refused === null ? data.formRevision ?? revision : revision }}
        beside={
          <>
            <TrialButtons id={data.id} />
            {stored === null && <CancelLink to={LIST} />}
          </>
        }
      >
        {(fields) => (
          <div class="grid gap-8 min-[68rem]:grid-cols-2 min-[68rem]:gap-0">
            <div class="grid min-w-0 content-start gap-4 [font-variant-ligatures:none] min-[68rem]:pe-7">
              {Object.values(fields)}
            </div>
            <div class="min-w-0 border-rule max-[68rem]:border-t max-[68rem]:pt-6 min-[68rem]:border-s min-[68rem]:ps-7">
              <LinkifierTester
                state={state}
                stored={data.tried}
                preview={refused === null ? data.preview : null}
              />
              <FormPreview formId={FORM} failed={t(FAILED)} needed="pattern" isRefused={refused !== null} />
            </div>
          </div>
        )}
      </Form>
    </Panel>
  );
}

/**
 * Renders the button that submits the form for a preview without JavaScript, and the one that takes it, saved or not, to
 * the page that tries it on recent messages.
 */
function TrialButtons({ id }: { id: number | null }) {
  const { t } = useAdmin();
  return (
    <>
      <noscript>
        <button type="submit" name="action" value="preview" formMethod="get" class={QUIET_BUTTON}>
          {t("Preview")}
        </button>
      </noscript>
      <button
        type="submit"
        name="linkifier"
        value={id ?? ""}
        formMethod="get"
        formAction={`${LIST}/messages`}
        class={QUIET_BUTTON}
      >
        {t("Try on recent messages")}
      </button>
    </>
  );
}

/** The page that confirms deleting a linkifier. */
export const deleteLinkifierPage = confirmPage({
  path: `${LIST}/[id]/delete`,
  title: "Delete this linkifier?",
  above: [linkifiersPage],
  shows: LINKIFIERS,
  load: findStored,
  stored: (linkifier) => linkifier,
  action: "delete",
  button: "Delete linkifier",
  isFinal: true,
  view: ({ data: { pattern, url_template } }) => (
    <>
      <p class="mb-2 border-s-2 border-rule ps-3 font-mono text-small break-all [font-variant-ligatures:none]">
        <bdi>{pattern}</bdi>
        <bdi class="block text-soft">{url_template}</bdi>
      </p>
      <p>
        {useAdmin().t("New messages will no longer be linked by it. Links in existing messages are kept.")}
      </p>
    </>
  ),
  run: async ({ chat, caller, t }, { id, pattern }) => {
    await deleteLinkifier(chat, caller, id);
    return { flash: t("Linkifier {pattern} deleted.", { pattern }) };
  },
});
