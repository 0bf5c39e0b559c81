import { GONE } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { DRAFT_FIELD, listRemovedChoices } from "@/components/admin/profile_fields/choice_rows.ts";
import { Link } from "@/components/Link.tsx";
import FormPreview from "@/islands/admin/FormPreview.tsx";
import { createField, deleteField, updateField } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, atOrganization } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { FIELDS } from "@/lib/admin/events/shown_events.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { atRevision } from "@/lib/admin/revision.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { FieldCard } from "./field_card.tsx";
import {
  type FieldPageData,
  findFieldProblems,
  loadCountedField,
  loadField,
  readInput,
  readRows,
  toChanges,
  TYPES,
} from "./field_data.ts";
import { FIELD_FORM_ID, FieldForm, useFieldDraft } from "./field_fields.tsx";
import { fieldsPage } from "./profile_fields.tsx";

const texts = {
  people: {
    zero: "Nobody has filled it in.",
    one: "{count} user filled it in. That value is deleted with the field.",
    other: "{count} users filled it in. Their values are deleted with the field.",
  },
};

/** Returns what a saved field is compared by; null for a field that does not exist. */
async function readStored(request: AdminRequest): Promise<unknown> {
  const data = await loadField(request);
  return data && { ...data.field, order: 0 };
}

/** Creates or saves the field of a page. */
async function save(request: AdminRequest, submitted: FormFields): Promise<Done> {
  const { chat, caller, t } = request;
  const data = await loadCountedField(request);
  if (data === null) throw new AppError("NOT_FOUND", request.t(GONE));
  const { isNew, field } = data;
  // A button without script only draws the form anew.
  if (submitted.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const sent = readInput(request, submitted, data);
  const problems = { ...findLoss(request, submitted, data), ...findFieldProblems(request, sent, data) };
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  if (isNew) {
    const { name } = await createField(chat, caller, sent);
    return { flash: t("Field {name} added.", { name }), to: fieldsPage.path };
  }
  const changes = toChanges(field, sent);
  const check = async (organization: Snapshot) => {
    await caller.check?.(organization);
    // Users may have chosen since.
    const current = await loadCountedField(atOrganization(request, organization));
    const loss = current === null ? {} : findLoss(request, submitted, current);
    if (Object.keys(loss).length > 0) throw new FormRefusal(loss);
  };
  await updateField(chat, { ...caller, check }, { fieldId: field.id, changes });
  return { flash: t("Field {name} saved.", { name: changes.name ?? field.name }), to: fieldsPage.path };
}

/** Returns the problem of choices that people have and that go without confirmation. */
function findLoss({ t }: AdminRequest, submitted: FormFields, { choices }: FieldPageData) {
  const agreed = submitted.all("drop");
  const isLoss = listRemovedChoices(choices, readRows(submitted))
    .some(({ key, people }) => people > 0 && !agreed.includes(key));
  return isLoss ? { drop: t("Confirm that these choices can be removed, or restore them.") } : {};
}

const preview = {
  action: "preview",
  run: async (request: AdminRequest, submitted: FormFields): Promise<Done> => {
    const data = await loadField(request);
    if (data === null) throw new AppError("NOT_FOUND", request.t(GONE));
    return { flash: "", draft: <FieldCard data={data} input={readInput(request, submitted, data)} /> };
  },
};

/** The page that creates a field: first its type, then the rest. */
export const newFieldPage = adminPage({
  path: `${fieldsPage.path}/new`,
  load: loadField,
  title: "Add field",
  lede: "Choose a field type. You cannot change it later.",
  above: [fieldsPage],
  forms: [{ action: "create", run: save }, preview],
  view: FormAndPreview,
});

/** The page of a field; its type cannot be changed. */
export const fieldPage = adminPage({
  path: `${fieldsPage.path}/[id]`,
  load: loadCountedField,
  title: ({ field: { name } }, t) => t("Edit {name}", { name }),
  lede: ({ field: { type } }, t) =>
    t("{type}. The type of a field cannot be changed.", { type: t(TYPES[type].name) }),
  above: [fieldsPage],
  actions: ({ data: { field } }) => (
    <Link class={QUIET_BUTTON} href={`${fieldsPage.path}/${field.id}/delete`}>
      {useAdmin().t("Delete field")}
    </Link>
  ),
  shows: FIELDS,
  forms: [{ action: "save", run: atRevision(readStored, save) }, preview],
  view: FormAndPreview,
});

function FormAndPreview({ data }: { data: FieldPageData }) {
  const { t } = useAdmin();
  const draft = useFieldDraft(data);
  return (
    <div class="grid gap-x-10 min-[68rem]:grid-cols-[minmax(0,1fr)_17rem]">
      <Panel title={data.isNew ? t("Add field") : t("Edit {name}", { name: data.field.name })}>
        <FieldForm data={data} draft={draft} />
      </Panel>
      <aside
        aria-label={t("Preview")}
        class="mb-9 min-w-0 max-w-[24rem] min-[68rem]:sticky min-[68rem]:top-8 min-[68rem]:self-start"
      >
        <FieldCard data={data} input={draft.input} />
        <FormPreview formId={FIELD_FORM_ID} failed="" />
        <noscript>
          <button
            type="submit"
            form={FIELD_FORM_ID}
            name={DRAFT_FIELD}
            value="show"
            class="link mt-4 min-h-11 cursor-pointer text-small font-medium"
          >
            {t("Update preview")}
          </button>
        </noscript>
      </aside>
    </div>
  );
}

/** The page that confirms deleting a field, with the number of users who lose their value. */
export const deleteFieldPage = confirmPage({
  path: `${fieldsPage.path}/[id]/delete`,
  load: loadCountedField,
  title: ({ field: { name } }, t) => t("Delete {name}?", { name }),
  above: [fieldsPage],
  shows: FIELDS,
  action: "delete",
  button: "Delete field",
  isFinal: true,
  view: ({ data: { people: count } }) => <p>{useAdmin().t(texts.people, { count })}</p>,
  run: async ({ chat, caller, t }, { field: { id, name } }) => {
    await deleteField(chat, caller, id);
    return { flash: t("Field {name} deleted.", { name }) };
  },
});
