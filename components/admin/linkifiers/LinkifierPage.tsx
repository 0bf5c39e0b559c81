import LinkifierPreview from "@/islands/LinkifierPreview.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkifierData } from "@/lib/admin/linkifier_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { LinkifierFields } from "./LinkifierFields.tsx";
import { TemplateList } from "./TemplateList.tsx";

const LIST = "/admin/linkifiers";
const FORM = "linkifier";

/** Makes a linkifier, from a template or from nothing. */
export function NewLinkifierPage({ data, refused }: AdminPageData<LinkifierData>) {
  const { linkifiers: text } = useAdmin().words;
  return (
    <>
      <AdminHeading title={text.newTitle} above={[{ path: LIST, name: text.title }]} />
      <section aria-labelledby="templates-title" class="mb-7">
        <h2 id="templates-title" class="mb-1 font-sans text-small font-strong">{text.startFrom}</h2>
        <TemplateList templates={data.templates} chosen={data.chosen} />
        {data.chosen !== null && <p class="mt-1 text-small text-soft">{text.replaceAddress}</p>}
      </section>
      <Editor data={data} refused={refused} />
    </>
  );
}

/** One linkifier: what it is, and its place among the others. */
export function LinkifierPage({ data, refused }: AdminPageData<LinkifierData>) {
  const { words, speech } = useAdmin();
  const text = words.linkifiers;
  const place = formState(refused, "place");
  return (
    <>
      <AdminHeading
        title={text.editTitle}
        lede={<bdi class="font-mono break-all">{data.stored}</bdi>}
        above={[{ path: LIST, name: text.title }]}
      />
      <Editor data={data} refused={refused} />
      {data.count > 1 && (
        <section class="grid max-w-[20rem] gap-3" aria-labelledby="place-title">
          <h2 id="place-title">{text.placeTitle}</h2>
          <AdminForm state={place} button={text.placeButton} to={`${LIST}/${data.id}`}>
            <TextInput
              state={place}
              name="place"
              type="number"
              label={text.place}
              hint={speech.say(text.placeHint, { count: data.count })}
              stored={String(data.place)}
            />
          </AdminForm>
        </section>
      )}
    </>
  );
}

function Editor({ data, refused }: AdminPageData<LinkifierData>) {
  const { words } = useAdmin();
  const text = words.linkifiers;
  const isNew = data.stored === null;
  const state = formState(refused, isNew ? "create" : "save");
  return (
    <Panel title={isNew ? text.newTitle : text.editTitle}>
      <AdminForm
        state={state}
        id={FORM}
        button={isNew ? text.create : words.common.save}
        // What was refused because it had changed may be sent again, now that it is seen.
        hidden={isNew ? {} : { seen: refused === null ? data.firstSeen : data.seen }}
        beside={
          <noscript>
            <button type="submit" name="action" value="preview" formMethod="get" class={QUIET_BUTTON}>
              {text.preview}
            </button>
          </noscript>
        }
      >
        <div class="grid gap-8 min-[68rem]:grid-cols-2 min-[68rem]:gap-0">
          <div class="min-w-0 min-[68rem]:pe-7">
            <LinkifierFields state={state} values={data.values} isNew={isNew} />
          </div>
          <div class="min-w-0 border-rule max-[68rem]:border-t max-[68rem]:pt-6 min-[68rem]:border-s min-[68rem]:ps-7">
            <LinkifierPreview
              formId={FORM}
              failed={words.common.failed}
              words={text.tryOut}
              sample={state.value("sample", data.sample)}
              address={state.value("address", data.address)}
              preview={refused === null ? data.preview : null}
            />
          </div>
        </div>
      </AdminForm>
    </Panel>
  );
}

/** Asks before a linkifier is deleted. */
export function DeleteLinkifierPage({ data, refused }: AdminPageData<LinkifierData>) {
  const { words, speech } = useAdmin();
  const text = words.linkifiers;
  return (
    <ConfirmPage
      title={speech.say(text.deleteTitle, { pattern: data.stored ?? "" })}
      above={[{ path: LIST, name: text.title }]}
      action="delete"
      button={text.deleteButton}
      refused={refused}
      hidden={{ seen: data.seen }}
    >
      <p>{text.deleteText}</p>
      <p>{words.common.cannotUndo}</p>
    </ConfirmPage>
  );
}
