import LinkifierPreview from "@/islands/admin/linkifiers/LinkifierPreview.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkifierData } from "@/lib/admin/linkifiers/linkifier_page.ts";
import { FIELD_PROBLEM, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { LinkifierFields } from "./LinkifierFields.tsx";
import { TemplateList } from "./TemplateList.tsx";
import { Link } from "../../Link.tsx";

const LIST = "/admin/linkifiers";
const FORM = "linkifier";

/** Renders the form that creates a linkifier, empty or from a template. */
export function NewLinkifierPage({ data, refused }: AdminPageData<LinkifierData>) {
  const { linkifiers: text } = useAdmin().messages;
  return (
    <>
      <AdminHeading title={text.newTitle} above={[{ path: LIST, name: text.title }]} />
      <section aria-labelledby="templates-title" class="mb-7">
        <h2 id="templates-title" class="mb-1 font-sans text-small font-strong">{text.startFrom}</h2>
        <TemplateList templates={data.templates} chosen={data.chosen} />
        {data.chosen !== null && <p class="mt-3 text-small text-soft">{text.replaceAddress}</p>}
      </section>
      <Editor data={data} refused={refused} />
    </>
  );
}

/** Renders the page of a linkifier: its fields, preview and position. */
export function LinkifierPage({ data, refused }: AdminPageData<LinkifierData>) {
  const { linkifiers: text } = useAdmin().messages;
  return (
    <>
      <AdminHeading
        title={text.editTitle}
        lede={<bdi class="font-mono break-all [font-variant-ligatures:none]">{data.stored}</bdi>}
        actions={
          <Link
            class="link inline-flex min-h-11 items-center text-small font-medium"
            href={`${LIST}/${data.id}/delete`}
          >
            {text.deleteButton}
          </Link>
        }
        above={[{ path: LIST, name: text.title }]}
      />
      <Editor data={data} refused={refused} />
      {data.count > 1 && <PlaceForm data={data} refused={refused} />}
    </>
  );
}

function PlaceForm({ data, refused }: AdminPageData<LinkifierData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.linkifiers;
  const state = formState(refused, "place");
  const general = state.problems["form"];
  return (
    <section aria-labelledby="place-title">
      <h2 id="place-title" class="mb-3">{text.placeTitle}</h2>
      <form
        method="post"
        action={`${LIST}/${data.id}`}
        noValidate
        class="flex max-w-[24rem] items-start gap-4"
      >
        <input type="hidden" name="action" value="place" />
        <div class="min-w-0 flex-1">
          <TextInput
            state={state}
            name="place"
            type="number"
            label={text.place}
            hint={formatter.t(text.placeHint, { count: data.count })}
            stored={String(data.place)}
          />
        </div>
        <button type="submit" class={`${QUIET_BUTTON} mt-7`}>{text.placeButton}</button>
      </form>
      {general !== undefined && <p role="alert" class={FIELD_PROBLEM}>{general}</p>}
    </section>
  );
}

function Editor({ data, refused }: AdminPageData<LinkifierData>) {
  const { messages } = useAdmin();
  const text = messages.linkifiers;
  const isNew = data.stored === null;
  const state = formState(refused, isNew ? "create" : "save");
  return (
    <Panel title={isNew ? text.newTitle : text.editTitle}>
      <AdminForm
        state={state}
        id={FORM}
        button={isNew ? text.create : messages.common.save}
        // A form that was refused because of a conflicting change can be sent again, as the page now shows
        // that change.
        hidden={isNew ? {} : { seen: refused === null ? data.firstSeen : data.seen }}
        beside={<TrialButtons id={data.id} />}
      >
        <div class="grid gap-8 min-[68rem]:grid-cols-2 min-[68rem]:gap-0">
          <div class="min-w-0 min-[68rem]:pe-7">
            <LinkifierFields state={state} values={data.values} isNew={isNew} />
          </div>
          <div class="min-w-0 border-rule max-[68rem]:border-t max-[68rem]:pt-6 min-[68rem]:border-s min-[68rem]:ps-7">
            <LinkifierPreview
              formId={FORM}
              failed={messages.common.failed}
              messages={text.tryOut}
              sample={state.value("sample", data.sample)}
              address={state.value("address", data.address)}
              preview={refused === null ? data.preview : null}
              isRefused={refused !== null}
            />
          </div>
        </div>
      </AdminForm>
    </Panel>
  );
}

/**
 * Renders the button that submits the form for a preview without JavaScript, and the one that takes it, saved or not, to
 * the page that tries it on recent messages.
 */
function TrialButtons({ id }: { id: number | null }) {
  const { linkifiers: text } = useAdmin().messages;
  return (
    <>
      <noscript>
        <button type="submit" name="action" value="preview" formMethod="get" class={QUIET_BUTTON}>
          {text.preview}
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
        {text.trial.title}
      </button>
    </>
  );
}

/** Renders the page that confirms deleting a linkifier. */
export function DeleteLinkifierPage({ data, refused }: AdminPageData<LinkifierData>) {
  const { messages } = useAdmin();
  const text = messages.linkifiers;
  return (
    <ConfirmPage
      title={text.deleteTitle}
      above={[{ path: LIST, name: text.title }]}
      action="delete"
      button={text.deleteButton}
      refused={refused}
      hidden={{ seen: data.seen }}
    >
      <p class="mb-2 border-s-2 border-rule ps-3 font-mono text-small break-all [font-variant-ligatures:none]">
        <bdi>{data.stored}</bdi>
        <bdi class="block text-soft">{data.values.url_template}</bdi>
      </p>
      <p>{text.deleteText}</p>
      <p>{messages.common.cannotUndo}</p>
    </ConfirmPage>
  );
}
