import { useRefusedForm } from "@/components/admin/form_state.ts";
import { adminPage } from "../../declare/page.tsx";
import { confirmPage } from "../../declare/confirm.tsx";
import { FIELDS } from "../../events/shown_events.ts";
import {
  DRAFT_FIELD,
  listRemovedChoices,
  type StoredChoice,
} from "@/components/admin/profile_fields/choice_rows.ts";
import {
  countValues,
  createField,
  deleteField,
  updateField,
} from "@/lib/chat/profile_fields/change_fields.ts";
import { checkFieldChange, checkNewField } from "@/lib/chat/profile_fields/model/check_value.ts";
import { findKnownSubtype } from "@/lib/chat/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  getField,
  type ProfileFieldRecord,
} from "@/lib/chat/profile_fields/model/profile_field.ts";
import { readFields } from "@/lib/chat/profile_fields/store.ts";
import { type Done, FormRefusal } from "../../admin_page.ts";
import { type AdminRequest, pathId } from "../../admin_request.ts";
import type { FormFields } from "../../form_fields.ts";
import { requireRevision } from "../../revision.ts";
import { storedChoices } from "../../profile_fields/profile_field_choices.ts";
import { readFillCounts } from "../../profile_fields/profile_field_counts.ts";
import { type FieldForm, previewOf, readFieldForm } from "../../profile_fields/profile_field_form.ts";
import { findFieldProblems } from "../../profile_fields/profile_field_problems.ts";
import { type FieldFormData, toFormData, toNewFormData } from "../../profile_fields/profile_field_view.ts";
import FieldPreview from "@/islands/admin/profile_fields/FieldPreview.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { fieldDraft } from "@/components/admin/profile_fields/field_draft.ts";
import { FIELD_FORM_ID, FieldForm as FieldFields } from "@/components/admin/profile_fields/FieldForm.tsx";
import { typeName } from "@/components/admin/profile_fields/type_name.ts";
import { Link } from "@/components/Link.tsx";
import { fieldsPage } from "./profile_fields.tsx";

const LIST = "/admin/profile-fields";

/** A field among all others. */
interface FoundField {
  readonly field: ProfileFieldRecord;
  readonly fields: readonly ProfileFieldRecord[];
}

async function findField(request: AdminRequest): Promise<FoundField | null> {
  const fields = await readFields(request.chat, request.realm.id);
  const field = fields.find(({ id }) => id === pathId(request));
  return field === undefined ? null : { field, fields };
}

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, messages } = request;
  // A button without script that only draws the form anew.
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const form = readFieldForm(request, fields, { before: null, choices: [] });
  const others = await readFields(chat, realm.id);
  const problems = findFieldProblems(request, form, (sent) => checkNewField(others, sent));
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  const { id, name } = await createField(chat, caller, form.sent);
  return { flash: request.t(messages.profileFields.created, { name }), to: LIST, result: { id } };
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, messages } = request;
  const found = await findField(request);
  if (found === null) throw new FormRefusal({ form: messages.common.gone });
  const { field } = found;
  const choices = storedChoices(field, new Map());
  requireRevision(request, fields, { ...field, order: 0 });
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const form = readFieldForm(request, fields, { before: field, choices });
  const problems = {
    ...await lossOf(request, fields, { form, field, choices }),
    ...findFieldProblems(
      request,
      form,
      (sent) => checkFieldChange(found.fields, field, toChanges(field, sent)),
    ),
  };
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  await updateField(chat, caller, { fieldId: field.id, changes: toChanges(field, form.sent) });
  const { name } = getField(await readFields(chat, realm.id), field.id);
  return { flash: request.t(messages.profileFields.saved, { name }), to: LIST };
}

/** The problem of choices that people have and that go without confirmation. */
async function lossOf(
  { chat, realm, messages }: AdminRequest,
  fields: FormFields,
  { form, field, choices }: { form: FieldForm; field: ProfileFieldRecord; choices: readonly StoredChoice[] },
): Promise<Record<string, string>> {
  const agreed = fields.all("drop");
  const dropped = listRemovedChoices(choices, form.rows).filter(({ key }) => !agreed.includes(key));
  // Counting lists all values, so it waits until it matters; then only current counts will do.
  if (dropped.length === 0) return {};
  const counts = (await countValues(chat, realm.id)).get(field.id)?.byChoice;
  const isLoss = dropped.some(({ key }) => (counts?.get(key) ?? 0) > 0);
  return isLoss ? { drop: messages.profileFields.lossUnconfirmed } : {};
}

function toChanges(field: ProfileFieldRecord, sent: FieldForm["sent"]) {
  const { field_type: _, ...changes } = sent;
  const isKnown = findKnownSubtype(field.type, field.field_data) !== null;
  return isKnown ? { ...changes, name: undefined, hint: undefined, field_data: undefined } : changes;
}

async function preview(request: AdminRequest, fields: FormFields): Promise<Done> {
  const all = await readFields(request.chat, request.realm.id);
  const before = all.find(({ id }) => id === pathId(request)) ?? null;
  const subject = { before, choices: before === null ? [] : storedChoices(before, new Map()) };
  return { flash: "", result: { ...previewOf(request, readFieldForm(request, fields, subject)) } };
}

/** The page that creates a field: first its type, then the rest. */
export const newFieldPage = adminPage({
  path: `${LIST}/new`,
  load: async (request: AdminRequest) =>
    toNewFormData(request, await readFields(request.chat, request.realm.id)),
  title: (_, __, { profileFields }) => profileFields.newTitle,
  lede: (_, __, { profileFields }) => profileFields.newLede,
  above: [fieldsPage],
  forms: [{ action: "create", run: create }, { action: "preview", run: preview }],
  view: ({ data }) => <FormAndPreview data={data} title={useAdmin().messages.profileFields.newTitle} />,
});

async function loadField(request: AdminRequest): Promise<FieldFormData | null> {
  const found = await findField(request);
  if (found === null) return null;
  if (found.field.type !== FIELD_TYPE.choice) return toFormData(request, { ...found, choices: [] });
  const { byField } = await readFillCounts(request);
  const counts = byField.get(found.field.id)?.byChoice ?? new Map();
  return toFormData(request, { ...found, choices: storedChoices(found.field, counts) });
}

/** The page of a field; its type cannot be changed. */
export const fieldPage = adminPage({
  path: `${LIST}/[id]`,
  load: loadField,
  title: ({ name }, t, { profileFields }) => t(profileFields.editTitle, { name }),
  lede: ({ type }, t, messages) => t(messages.profileFields.typeFixed, { type: typeName(messages, type) }),
  above: [fieldsPage],
  shows: FIELDS,
  forms: [{ action: "save", run: save }, { action: "preview", run: preview }],
  view: ({ data }) => {
    const { messages: { profileFields: text }, formatter } = useAdmin();
    return (
      <>
        <FormAndPreview data={data} title={formatter.t(text.editTitle, { name: data.name })} />
        <Link class="link" href={`${LIST}/${data.id}/delete`}>{text.deleteButton}</Link>
      </>
    );
  },
});

interface FormAndPreviewProps {
  readonly data: FieldFormData;
  readonly title: string;
}

function FormAndPreview({ data, title }: FormAndPreviewProps) {
  const refused = useRefusedForm();
  const { messages, formatter, user } = useAdmin();
  const text = messages.profileFields;
  const draft = fieldDraft(data, refused, { messages, formatter, name: user.full_name, now: data.now });
  return (
    <div class="grid gap-x-10 min-[68rem]:grid-cols-[minmax(0,1fr)_17rem]">
      <Panel title={title}>
        <FieldFields data={data} draft={draft} />
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
          position={data.cardPosition}
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

/** The page that confirms deleting a field, with the number of users who lose their answer. */
export const deleteFieldPage = confirmPage({
  path: `${LIST}/[id]/delete`,
  load: async (request: AdminRequest) => {
    const found = await findField(request);
    if (found === null) return null;
    const { byField } = await readFillCounts(request);
    return { ...found.field, people: byField.get(found.field.id)?.people ?? 0 };
  },
  title: ({ name }, t, { profileFields }) => t(profileFields.deleteTitle, { name }),
  above: [fieldsPage],
  shows: FIELDS,
  action: "delete",
  button: (_, __, { profileFields }) => profileFields.deleteButton,
  view: ({ data: { people: count } }) => {
    const { messages: { profileFields: text, common }, formatter } = useAdmin();
    return (
      <>
        <p>{count === 0 ? text.deleteNobody : formatter.t(text.deleteText, { count })}</p>
        <p class="text-soft">{common.cannotUndo}</p>
      </>
    );
  },
  run: async ({ chat, caller, t, messages }, { id, name }) => {
    await deleteField(chat, caller, id);
    return { flash: t(messages.profileFields.deleted, { name }) };
  },
});
