import { useAdmin } from "@/components/admin/admin_view.ts";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import {
  DRAFT_FIELD,
  listRemovedChoices,
  type StoredChoice,
} from "@/components/admin/profile_fields/choice_rows.ts";
import { Link } from "@/components/Link.tsx";
import FieldPreview from "@/islands/admin/profile_fields/FieldPreview.tsx";
import {
  countValues,
  createField,
  deleteField,
  updateField,
} from "@/lib/chat/people/profile_fields/change_fields.ts";
import {
  checkFieldChange,
  checkNewField,
  type ProfileFieldInput,
} from "@/lib/chat/people/profile_fields/model/check_value.ts";
import {
  type FieldData,
  findExternalAccount,
  findKnownSubtype,
} from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  getField,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { FIELDS } from "@/lib/admin/events/shown_events.ts";
import { findTooLong } from "@/lib/admin/find_too_long.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { requireRevision } from "@/lib/admin/revision.ts";
import {
  ACCOUNT_NAME,
  CUSTOM_ACCOUNT,
  type FieldForm,
  type FieldFormData,
  findTwice,
  previewOf,
  readFieldForm,
  storedChoices,
  toFormData,
  toNewFormData,
} from "./field_data.ts";
import { FIELD_FORM_ID, fieldDraft, FieldForm as FieldFields } from "./field_fields.tsx";
import { fieldsPage, readFillCounts, typeName } from "./profile_fields.tsx";

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

/** Valid data for each field type. */
const SOUND_DATA: Readonly<Record<number, FieldData>> = {
  [FIELD_TYPE.choice]: { 0: { text: "…", order: "1" } },
  [FIELD_TYPE.externalAccount]: {
    subtype: CUSTOM_ACCOUNT,
    url_pattern: `https://example.com/${ACCOUNT_NAME}`,
  },
};
/** A label that no field has, which lets the validation continue with the other inputs. */
const NO_LABEL = "\u241f";

/**
 * Finds all problems of a form as sentences by field name; `check` is the domain's validation, which throws
 * the first problem only.
 */
function findFieldProblems(
  request: AdminRequest,
  form: FieldForm,
  check: (sent: ProfileFieldInput) => unknown,
): Record<string, string> {
  const { subtype } = form.sent.field_data;
  const isKnown = typeof subtype === "string" && findExternalAccount(subtype) !== null;
  const dataField = form.sent.field_type === FIELD_TYPE.choice
    ? "choices"
    : subtype === CUSTOM_ACCOUNT
    ? "url_pattern"
    : "account";
  const names: Readonly<Record<string, string>> = {
    // The form hides the label of a known account.
    name: isKnown ? "account" : "name",
    hint: "hint",
    field_data: dataField,
    display_in_profile_summary: "on_card",
    use_for_user_matching: "matching",
    field_type: "field_type",
  };
  const problems: Record<string, string> = {};
  for (const [input, message] of Object.entries(refusalsOf(check, form.sent))) {
    problems[names[input] ?? "form"] = message;
  }
  return { ...problems, ...ownSentences(request, form, problems) };
}

/**
 * Collects the domain's refusals by input: each refused input is replaced by a valid one before the next
 * check.
 */
function refusalsOf(
  check: (sent: ProfileFieldInput) => unknown,
  sent: ProfileFieldInput,
): Record<string, string> {
  const refused: Record<string, string> = {};
  let tried = sent;
  for (;;) {
    try {
      check(tried);
      return refused;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const input = error.field ?? "form";
      if (Object.hasOwn(refused, input)) return refused;
      refused[input] = error.message;
      tried = mended(tried, input);
    }
  }
}

function mended(sent: ProfileFieldInput, input: string): ProfileFieldInput {
  switch (input) {
    case "name":
      return { ...sent, name: NO_LABEL };
    case "hint":
      return { ...sent, hint: "" };
    case "field_data":
      return { ...sent, field_data: SOUND_DATA[sent.field_type] ?? {} };
    case "field_type":
      return { ...sent, field_type: FIELD_TYPE.shortText };
    default:
      return { ...sent, display_in_profile_summary: false, use_for_user_matching: false };
  }
}

/** Problems that pages explain in more detail than the domain. */
function ownSentences(
  request: AdminRequest,
  { sent, rows, pattern }: FieldForm,
  problems: Readonly<Record<string, string>>,
): Record<string, string> {
  const { messages: { profileFields: text }, formatter } = request;
  const own = findTooLong(request, {
    name: [sent.name, MAX_FIELD_NAME],
    hint: [sent.hint, MAX_FIELD_HINT],
  });
  const twice = findTwice(rows);
  if (problems["choices"] !== undefined && twice !== null) {
    own["choices"] = formatter.t(text.twice, { name: twice });
  }
  if (problems["url_pattern"] !== undefined) {
    own["url_pattern"] = pattern.split(ACCOUNT_NAME).length === 2
      ? text.patternNoAddress
      : formatter.t(text.patternMissing, { token: ACCOUNT_NAME });
  }
  // Problems of inputs that are hidden for the field's type are dropped.
  return Object.fromEntries(Object.entries(own).filter(([name]) => problems[name] !== undefined));
}
