import FieldPreview from "@/islands/FieldPreview.tsx";
import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { DeleteFieldData } from "@/lib/admin/profile_field_page.ts";
import type { FieldFormData } from "@/lib/admin/profile_field_view.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { Panel } from "../Panel.tsx";
import { DRAFT_FIELD } from "./choice_rows.ts";
import { fieldDraft } from "./field_draft.ts";
import { FIELD_FORM, FieldForm } from "./FieldForm.tsx";
import { typeName } from "./type_name.ts";

const ABOVE = "/admin/profile-fields";

/** Makes a field: first what it holds, then the rest. */
export function NewFieldPage({ data, refused }: AdminPageData<FieldFormData>) {
  const { words } = useAdmin();
  const text = words.profileFields;
  return (
    <>
      <AdminHeading title={text.newTitle} lede={text.newLede} above={[{ path: ABOVE, name: text.title }]} />
      <FormAndPreview data={data} refused={refused} title={text.newTitle} />
    </>
  );
}

/** One field: everything about it but its type. */
export function FieldPage({ data, refused }: AdminPageData<FieldFormData>) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
  const title = speech.say(text.editTitle, { name: data.name });
  return (
    <>
      <AdminHeading
        title={title}
        lede={speech.say(text.typeFixed, { type: typeName(words, data.type) })}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <FormAndPreview data={data} refused={refused} title={title} />
      <a class="link" href={`${ABOVE}/${data.id}/delete`}>{text.deleteButton}</a>
    </>
  );
}

interface FormAndPreviewProps {
  readonly data: FieldFormData;
  readonly refused: RefusedForm | null;
  readonly title: string;
}

function FormAndPreview({ data, refused, title }: FormAndPreviewProps) {
  const { words, speech, user } = useAdmin();
  const text = words.profileFields;
  const draft = fieldDraft(data, refused, { words, speech, name: user.full_name, now: data.now });
  return (
    <div class="grid gap-x-10 min-[68rem]:grid-cols-[minmax(0,1fr)_17rem]">
      <Panel title={title}>
        <FieldForm data={data} draft={draft} />
      </Panel>
      <aside
        aria-label={text.preview}
        class="mb-9 min-w-0 max-w-[24rem] min-[68rem]:sticky min-[68rem]:top-8 min-[68rem]:self-start"
      >
        <FieldPreview
          formId={FIELD_FORM}
          person={user.full_name}
          role={words.shell.roles[user.role]}
          first={draft.line}
          others={data.othersOnCard}
          texts={{ title: text.preview, notOnCard: text.notOnCard, hintShown: text.hintShown }}
        />
        <noscript>
          <button
            type="submit"
            form={FIELD_FORM}
            name={DRAFT_FIELD}
            value="show"
            class="link mt-4 min-h-11 cursor-pointer text-small font-medium"
          >
            {text.showPreview}
          </button>
        </noscript>
      </aside>
    </div>
  );
}

/** Asks before a field is deleted, and says how many people lose their answer. */
export function DeleteFieldPage({ data, refused }: AdminPageData<DeleteFieldData>) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
  return (
    <ConfirmPage
      title={speech.say(text.deleteTitle, { name: data.name })}
      above={[{ path: ABOVE, name: text.title }]}
      action="delete"
      button={text.deleteButton}
      refused={refused}
    >
      <p>{data.people === 0 ? text.deleteNobody : speech.say(text.deleteText, { count: data.people })}</p>
      <p class="text-soft">{words.common.cannotUndo}</p>
    </ConfirmPage>
  );
}
