import FieldPreview from "@/islands/admin/profile_fields/FieldPreview.tsx";
import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { DeleteFieldData } from "@/lib/admin/profile_fields/profile_field_page.ts";
import type { FieldFormData } from "@/lib/admin/profile_fields/profile_field_view.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { Panel } from "../Panel.tsx";
import { DRAFT_FIELD } from "./choice_rows.ts";
import { fieldDraft } from "./field_draft.ts";
import { FIELD_FORM_ID, FieldForm } from "./FieldForm.tsx";
import { typeName } from "./type_name.ts";
import { Link } from "../../Link.tsx";

const ABOVE = "/admin/profile-fields";

/** Renders the page that creates a profile field: first its type, then the rest. */
export function NewFieldPage({ data, refused }: AdminPageData<FieldFormData>) {
  const { messages } = useAdmin();
  const text = messages.profileFields;
  return (
    <>
      <AdminHeading title={text.newTitle} lede={text.newLede} above={[{ path: ABOVE, name: text.title }]} />
      <FormAndPreview data={data} refused={refused} title={text.newTitle} />
    </>
  );
}

/** Renders the page of a profile field; its type cannot be changed. */
export function FieldPage({ data, refused }: AdminPageData<FieldFormData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const title = formatter.t(text.editTitle, { name: data.name });
  return (
    <>
      <AdminHeading
        title={title}
        lede={formatter.t(text.typeFixed, { type: typeName(messages, data.type) })}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <FormAndPreview data={data} refused={refused} title={title} />
      <Link class="link" href={`${ABOVE}/${data.id}/delete`}>{text.deleteButton}</Link>
    </>
  );
}

interface FormAndPreviewProps {
  readonly data: FieldFormData;
  readonly refused: RefusedForm | null;
  readonly title: string;
}

function FormAndPreview({ data, refused, title }: FormAndPreviewProps) {
  const { messages, formatter, user } = useAdmin();
  const text = messages.profileFields;
  const draft = fieldDraft(data, refused, { messages, formatter, name: user.full_name, now: data.now });
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
          formId={FIELD_FORM_ID}
          person={user.full_name}
          role={messages.shell.roles[user.role]}
          first={draft.line}
          others={data.othersOnCard}
          texts={{ title: text.preview, notOnCard: text.notOnCard, hintShown: text.hintShown }}
        />
        <noscript>
          <button
            type="submit"
            form={FIELD_FORM_ID}
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

/** Renders the page that confirms deleting a field, with the number of users who lose their answer. */
export function DeleteFieldPage({ data, refused }: AdminPageData<DeleteFieldData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  return (
    <ConfirmPage
      title={formatter.t(text.deleteTitle, { name: data.name })}
      above={[{ path: ABOVE, name: text.title }]}
      action="delete"
      button={text.deleteButton}
      refused={refused}
    >
      <p>{data.people === 0 ? text.deleteNobody : formatter.t(text.deleteText, { count: data.people })}</p>
      <p class="text-soft">{messages.common.cannotUndo}</p>
    </ConfirmPage>
  );
}
