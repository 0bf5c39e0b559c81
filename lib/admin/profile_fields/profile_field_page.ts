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
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { requireRevision } from "../revision.ts";
import { storedChoices } from "./profile_field_choices.ts";
import { readFillCounts } from "./profile_field_counts.ts";
import { type FieldForm, previewOf, readFieldForm } from "./profile_field_form.ts";
import { findFieldProblems } from "./profile_field_problems.ts";
import { type FieldFormData, toFormData, toNewFormData } from "./profile_field_view.ts";

const LIST = "/admin/profile-fields";

/** Data of the page that confirms deleting a field. */
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
    if (found === null) return null;
    if (found.field.type !== FIELD_TYPE.choice) return toFormData(request, { ...found, choices: [] });
    const { byField } = await readFillCounts(request);
    const counts = byField.get(found.field.id)?.byChoice ?? new Map();
    return toFormData(request, { ...found, choices: storedChoices(found.field, counts) });
  },
  actions: { save: { run: save }, preview: { run: preview } },
};

/** The page that asks before a field is deleted. */
export const deleteFieldPage: AdminPageSpec<DeleteFieldData> = {
  async load(request) {
    const found = await findField(request);
    if (found === null) return null;
    const { byField } = await readFillCounts(request);
    return { name: found.field.name, people: byField.get(found.field.id)?.people ?? 0 };
  },
  actions: { delete: { run: remove } },
};

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
  const { chat, realm, caller, formatter, messages } = request;
  // A button without script that only draws the form anew.
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const form = readFieldForm(request, fields, { before: null, choices: [] });
  const others = await readFields(chat, realm.id);
  const problems = findFieldProblems(request, form, (sent) => checkNewField(others, sent));
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  const { id, name } = await createField(chat, caller, form.sent);
  return { flash: formatter.t(messages.profileFields.created, { name }), to: LIST, result: { id } };
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
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
  return { flash: formatter.t(messages.profileFields.saved, { name }), to: LIST };
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

async function remove(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const found = await findField(request);
  await deleteField(chat, caller, pathId(request));
  const name = found?.field.name ?? "";
  return { flash: formatter.t(messages.profileFields.deleted, { name }), to: LIST };
}
