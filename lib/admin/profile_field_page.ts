import { DRAFT_FIELD, droppedOf, type StoredChoice } from "@/components/admin/profile_fields/choice_rows.ts";
import { countValues } from "@/lib/chat/profile_fields/count_values.ts";
import { createField } from "@/lib/chat/profile_fields/create.ts";
import { deleteField } from "@/lib/chat/profile_fields/delete.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "@/lib/chat/profile_fields/profile_field.ts";
import { checkFieldChange, checkNewField } from "@/lib/chat/profile_fields/rules.ts";
import { fieldOf, readFields } from "@/lib/chat/profile_fields/store.ts";
import { updateField } from "@/lib/chat/profile_fields/update.ts";
import { knownSubtype } from "@/lib/chat/profile_fields/validate_field_data.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "./admin_page.ts";
import { type AdminRequest, pathId } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { storedChoices } from "./profile_field_choices.ts";
import { type FieldForm, previewOf, readFieldForm } from "./profile_field_form.ts";
import { findFieldProblems } from "./profile_field_problems.ts";
import { type FieldFormData, toFormData, toNewFormData } from "./profile_field_view.ts";
import { requireSeen } from "./seen.ts";

const LIST = "/admin/profile-fields";

/** What the page shows that asks before a field is deleted. */
export interface DeleteFieldData {
  readonly name: string;
  /** People whose answers go with the field. */
  readonly people: number;
}

/** The page that makes a field. */
export const newFieldPage: AdminPageSpec<FieldFormData> = {
  load: async (request) => toNewFormData(request, await readFields(request.chat, request.realm.id)),
  actions: { create: { run: create }, preview: { run: preview } },
};

/** The page of one field. */
export const fieldPage: AdminPageSpec<FieldFormData> = {
  async load(request) {
    const found = await findField(request);
    return found === null ? null : toFormData(request, found);
  },
  actions: { save: { run: save }, preview: { run: preview } },
};

/** The page that asks before a field is deleted. */
export const deleteFieldPage: AdminPageSpec<DeleteFieldData> = {
  async load(request) {
    const found = await findField(request);
    if (found === null) return null;
    const counts = await countValues(request.chat, request.realm.id);
    return { name: found.field.name, people: counts.get(found.field.id)?.people ?? 0 };
  },
  actions: { delete: { run: remove } },
};

/** A field among all others, with how many people have each of its choices. */
interface FoundField {
  readonly field: ProfileFieldRecord;
  readonly fields: readonly ProfileFieldRecord[];
  readonly choices: readonly StoredChoice[];
}

async function findField(request: AdminRequest): Promise<FoundField | null> {
  const { chat, realm } = request;
  const fields = await readFields(chat, realm.id);
  const field = fields.find(({ id }) => id === pathId(request));
  if (field === undefined) return null;
  // Only choices ask for counts here: those list everybody's values.
  const counts = field.type === FIELD_TYPE.choice ? await countValues(chat, realm.id) : null;
  return { field, fields, choices: storedChoices(field, counts?.get(field.id)?.byChoice ?? new Map()) };
}

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, speech, words } = request;
  // A button without script that only draws the form anew.
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const form = readFieldForm(request, fields, { before: null, choices: [] });
  const others = await readFields(chat, realm.id);
  const problems = findFieldProblems(request, form, (sent) => checkNewField(others, sent));
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  const { id, name } = await createField(chat, caller, form.sent);
  return { said: speech.say(words.profileFields.created, { name }), to: LIST, result: { id } };
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, speech, words } = request;
  const found = await findField(request);
  if (found === null) throw new FormRefusal({ form: words.common.gone });
  const { field, choices } = found;
  requireSeen(request, fields, { ...field, order: 0 });
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const form = readFieldForm(request, fields, { before: field, choices });
  const problems = {
    ...lossOf(request, fields, { form, choices }),
    ...findFieldProblems(
      request,
      form,
      (sent) => checkFieldChange(found.fields, field, toChanges(field, sent)),
    ),
  };
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  await updateField(chat, caller, { fieldId: field.id, changes: toChanges(field, form.sent) });
  const { name } = fieldOf(await readFields(chat, realm.id), field.id);
  return { said: speech.say(words.profileFields.saved, { name }), to: LIST };
}

/** The problem of choices that people have and that go without anybody having said that they may. */
function lossOf(
  { words }: AdminRequest,
  fields: FormFields,
  { form, choices }: { form: FieldForm; choices: readonly StoredChoice[] },
): Record<string, string> {
  const agreed = fields.all("drop");
  const lost = droppedOf(choices, form.rows).filter(({ key, people }) => people > 0 && !agreed.includes(key));
  return lost.length === 0 ? {} : { drop: words.profileFields.lossUnconfirmed };
}

function toChanges(field: ProfileFieldRecord, sent: FieldForm["sent"]) {
  const { field_type: _, ...changes } = sent;
  const isKnown = knownSubtype(field.type, field.field_data) !== null;
  return isKnown ? { ...changes, name: undefined, hint: undefined, field_data: undefined } : changes;
}

async function preview(request: AdminRequest, fields: FormFields): Promise<Done> {
  const all = await readFields(request.chat, request.realm.id);
  const before = all.find(({ id }) => id === pathId(request)) ?? null;
  const subject = { before, choices: before === null ? [] : storedChoices(before, new Map()) };
  return { said: "", result: { ...previewOf(request, readFieldForm(request, fields, subject)) } };
}

async function remove(request: AdminRequest): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const found = await findField(request);
  await deleteField(chat, caller, pathId(request));
  const name = found?.field.name ?? "";
  return { said: speech.say(words.profileFields.deleted, { name }), to: LIST };
}
