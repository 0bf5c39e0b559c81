import {
  getField,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "@/lib/chat/profile_fields/model/profile_field.ts";
import { reorderFields, updateField } from "@/lib/chat/profile_fields/change_fields.ts";
import { readFields } from "@/lib/chat/profile_fields/store.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { movedBy } from "../move_position.ts";
import { readFillCounts } from "./profile_field_counts.ts";
import { fitsOnCard } from "./profile_field_form.ts";

/** A field in the list. */
export interface ListedField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: number;
  readonly isRequired: boolean;
  readonly isEditable: boolean;
  readonly isMatching: boolean;
  readonly isOnCard: boolean;
  readonly offersCard: boolean;
  /** Number of users with a value. */
  readonly people: number;
  /** Share of all active users, 0 to 1. */
  readonly rate: number;
}

/** Data of the profile fields page. */
export interface FieldsData {
  readonly fields: readonly ListedField[];
  /** Names of the fields on a full card; else null. */
  readonly fullCard: readonly string[] | null;
}

/** The page of all fields: their order and the card. */
export const fieldsPage: AdminPageSpec<FieldsData> = {
  load: loadFields,
  actions: {
    move_up: { run: (request, fields) => move(request, fields, -1) },
    move_down: { run: (request, fields) => move(request, fields, 1) },
    reorder: { run: reorder },
    card: { run: setOnCard },
  },
};

async function loadFields(request: AdminRequest): Promise<FieldsData> {
  const { chat, realm } = request;
  const fields = await readFields(chat, realm.id);
  if (fields.length === 0) return { fields: [], fullCard: null };
  const { people: all, byField } = await readFillCounts(request);
  const onCard = fields.filter((field) => field.display_in_profile_summary).map(({ name }) => name);
  return {
    fields: fields.map((field) => toListed(field, { people: byField.get(field.id)?.people ?? 0, all })),
    fullCard: onCard.length >= MAX_IN_SUMMARY ? onCard : null,
  };
}

function toListed(field: ProfileFieldRecord, { people, all }: { people: number; all: number }): ListedField {
  const { id, name, hint, type } = field;
  return {
    id,
    name,
    hint,
    type,
    isRequired: field.required,
    isEditable: field.editable_by_user,
    isMatching: field.use_for_user_matching,
    isOnCard: field.display_in_profile_summary,
    offersCard: field.display_in_profile_summary || fitsOnCard(type),
    people,
    // Deactivated accounts keep their values, so the count may exceed the number of active users.
    rate: all === 0 ? 0 : Math.min(1, people / all),
  };
}

async function move(request: AdminRequest, fields: FormFields, step: -1 | 1): Promise<Done> {
  const order = (await readFields(request.chat, request.realm.id)).map(({ id }) => id);
  return await putInOrder(request, fields, movedBy(order, fields.int("id") ?? 0, step));
}

async function reorder(request: AdminRequest, fields: FormFields): Promise<Done> {
  const order = fields.ints("order");
  const all = (await readFields(request.chat, request.realm.id)).map(({ id }) => id);
  // A field that another administrator added meanwhile stays last.
  return await putInOrder(request, fields, [...order, ...all.filter((id) => !order.includes(id))]);
}

async function putInOrder(
  request: AdminRequest,
  fields: FormFields,
  order: readonly number[],
): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  await reorderFields(chat, caller, order);
  const all = await readFields(chat, realm.id);
  const name = all.find(({ id }) => id === fields.int("id"))?.name;
  return { flash: name === undefined ? "" : formatter.t(messages.profileFields.moved, { name }) };
}

async function setOnCard(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const fieldId = fields.int("id") ?? 0;
  const isWanted = fields.text("on") === "true";
  const { name } = getField(await readFields(chat, realm.id), fieldId);
  await updateField(chat, caller, {
    fieldId,
    changes: { ...NO_CHANGE, display_in_profile_summary: isWanted },
  });
  const phrase = isWanted ? messages.profileFields.putOn : messages.profileFields.takenOff;
  return { flash: formatter.t(phrase, { name }) };
}

const NO_CHANGE = {
  name: undefined,
  hint: undefined,
  field_data: undefined,
  required: undefined,
  editable_by_user: undefined,
  use_for_user_matching: undefined,
};
