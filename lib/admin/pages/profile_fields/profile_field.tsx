import { useAdmin } from "@/components/admin/admin_view.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { DRAFT_FIELD, listRemovedChoices } from "@/components/admin/profile_fields/choice_rows.ts";
import { Link } from "@/components/Link.tsx";
import FormPreview from "@/islands/admin/FormPreview.tsx";
import {
  countValues,
  createField,
  deleteField,
  updateField,
} from "@/lib/chat/people/profile_fields/change_fields.ts";
import {
  checkFieldChange,
  checkNewField,
  type FieldChanges,
  type ProfileFieldInput,
} from "@/lib/chat/people/profile_fields/model/check_value.ts";
import { findKnownSubtype } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  getField,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { FIELDS } from "@/lib/admin/events/shown_events.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { requireRevision } from "@/lib/admin/revision.ts";
import {
  type CardEntry,
  findFieldProblems,
  findFreeAccount,
  readInput,
  readRows,
  storedChoices,
  toCardEntry,
  toInput,
} from "./field_data.ts";
import { FIELD_FORM_ID, FieldForm, type FieldPageData, useFieldDraft } from "./field_fields.tsx";
import { fieldsPage, readFillCounts, typeName } from "./profile_fields.tsx";

/** Finds the field in the page's path among all others. */
async function findField(
  request: AdminRequest,
): Promise<{ field: ProfileFieldRecord; fields: readonly ProfileFieldRecord[] } | null> {
  const fields = await readFields(request.chat, request.realm.id);
  const field = fields.find(({ id }) => id === pathId(request));
  return field === undefined ? null : { field, fields };
}

const LIST = "/admin/profile-fields";

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, messages } = request;
  // A button without script that only draws the form anew.
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const sent = readInput(request, fields, null);
  const others = await readFields(chat, realm.id);
  requireNone(findFieldProblems(request, sent, (input) => checkNewField(others, input)));
  const { id, name } = await createField(chat, caller, sent);
  return { flash: request.t(messages.profileFields.created, { name }), to: LIST, result: { id } };
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, messages } = request;
  const found = await findField(request);
  if (found === null) throw new FormRefusal({ form: messages.common.gone });
  const { field } = found;
  requireRevision(request, fields, { ...field, order: 0 });
  if (fields.text(DRAFT_FIELD) !== "") throw new FormRefusal({});
  const sent = readInput(request, fields, field);
  const check = (input: ProfileFieldInput) => checkFieldChange(found.fields, field, toChanges(field, input));
  requireNone({
    ...await findLoss(request, fields, field),
    ...findFieldProblems(request, sent, check),
  });
  await updateField(chat, caller, { fieldId: field.id, changes: toChanges(field, sent) });
  const { name } = getField(await readFields(chat, realm.id), field.id);
  return { flash: request.t(messages.profileFields.saved, { name }), to: LIST };
}

function requireNone(problems: Readonly<Record<string, string>>): void {
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
}

/** Returns the problem of choices that people have and that go without confirmation. */
async function findLoss(
  { chat, realm, messages }: AdminRequest,
  fields: FormFields,
  field: ProfileFieldRecord,
): Promise<Readonly<Record<string, string>>> {
  const agreed = fields.all("drop");
  const dropped = listRemovedChoices(storedChoices(field), readRows(fields))
    .filter(({ key }) => !agreed.includes(key));
  // Counting lists all values, so it waits until it matters; then only current counts will do.
  if (dropped.length === 0) return {};
  const counts = (await countValues(chat, realm.id)).get(field.id)?.byChoice;
  const isLoss = dropped.some(({ key }) => (counts?.get(key) ?? 0) > 0);
  return isLoss ? { drop: messages.profileFields.lossUnconfirmed } : {};
}

/** Returns the changes of a form; only the switches of a built-in account can be changed. */
function toChanges(
  field: ProfileFieldRecord,
  { field_type: _type, name, hint, field_data, ...switches }: ProfileFieldInput,
): FieldChanges {
  const isKnown = findKnownSubtype(field.type, field.field_data) !== null;
  return isKnown ? switches : { ...switches, name, hint, field_data };
}

/** Initial values of a field. */
const BLANK = {
  id: 0,
  order: Infinity,
  name: "",
  hint: "",
  field_data: "",
  required: false,
  editable_by_user: true,
  display_in_profile_summary: false,
  use_for_user_matching: false,
};

async function loadNewField(
  { chat, realm, query, messages: { profileFields: text } }: AdminRequest,
): Promise<FieldPageData> {
  const types = Object.values(FIELD_TYPE);
  const type = types.find((known) => String(known) === query.get("type")) ?? FIELD_TYPE.shortText;
  const texts = type === FIELD_TYPE.pronouns ? { name: text.pronounsName, hint: text.pronounsHint } : {};
  const others = await readFields(chat, realm.id);
  const account = { field_data: JSON.stringify({ subtype: findFreeAccount(others) }) };
  const field = { ...BLANK, type, ...texts, ...(type === FIELD_TYPE.externalAccount ? account : {}) };
  return { isNew: true, field, others, choices: [], now: chat.clock.now() };
}

async function loadField(request: AdminRequest): Promise<FieldPageData | null> {
  const found = await findField(request);
  if (found === null) return null;
  const { field, fields } = found;
  const counts = field.type === FIELD_TYPE.choice
    ? (await readFillCounts(request)).byField.get(field.id)?.byChoice
    : undefined;
  const others = fields.filter((other) => other !== field);
  return {
    ...{ isNew: false, field, others },
    choices: storedChoices(field, counts),
    now: request.chat.clock.now(),
  };
}

const preview = {
  action: "preview",
  run: async (request: AdminRequest, fields: FormFields): Promise<Done> => {
    const data = await loadField(request) ?? await loadNewField(request);
    const input = readInput(request, fields, data.isNew ? null : data.field);
    return { flash: "", draft: <FieldCard data={data} input={input} /> };
  },
};

/** The page that creates a field: first its type, then the rest. */
export const newFieldPage = adminPage({
  path: `${LIST}/new`,
  load: loadNewField,
  title: (_, __, { profileFields }) => profileFields.newTitle,
  lede: (_, __, { profileFields }) => profileFields.newLede,
  above: [fieldsPage],
  forms: [{ action: "create", run: create }, preview],
  view: ({ data }) => <FormAndPreview data={data} title={useAdmin().messages.profileFields.newTitle} />,
});

/** The page of a field; its type cannot be changed. */
export const fieldPage = adminPage({
  path: `${LIST}/[id]`,
  load: loadField,
  title: ({ field: { name } }, t, { profileFields }) => t(profileFields.editTitle, { name }),
  lede: ({ field: { type } }, t, messages) =>
    t(messages.profileFields.typeFixed, { type: typeName(messages, type) }),
  above: [fieldsPage],
  shows: FIELDS,
  forms: [{ action: "save", run: save }, preview],
  view: ({ data }) => {
    const { messages: { profileFields: text }, formatter } = useAdmin();
    const { id, name } = data.field;
    return (
      <>
        <FormAndPreview data={data} title={formatter.t(text.editTitle, { name })} />
        <Link class="link" href={`${LIST}/${id}/delete`}>{text.deleteButton}</Link>
      </>
    );
  },
});

function FormAndPreview({ data, title }: { data: FieldPageData; title: string }) {
  const { messages: { profileFields: text } } = useAdmin();
  const draft = useFieldDraft(data);
  return (
    <div class="grid gap-x-10 min-[68rem]:grid-cols-[minmax(0,1fr)_17rem]">
      <Panel title={title}>
        <FieldForm data={data} draft={draft} />
      </Panel>
      <aside
        aria-label={text.preview}
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
            {text.showPreview}
          </button>
        </noscript>
      </aside>
    </div>
  );
}

/** Renders the card of the viewer with a field on it, or the field below the card if it is not displayed there. */
function FieldCard(
  { data: { field, others, now }, input }: { data: FieldPageData; input: ProfileFieldInput },
) {
  const admin = useAdmin();
  const { user: { full_name, role }, messages: { profileFields: text, shell } } = admin;
  const toEntry = (one: ProfileFieldInput) => toCardEntry(one, { ...admin, now });
  const onCard = others.filter((other) => other.display_in_profile_summary);
  const entry = toEntry(input);
  const entries = onCard.map((other) => toEntry(toInput(other)));
  const position = onCard.filter(({ order }) => order < field.order).length;
  const lines = entry.isOnCard ? entries.toSpliced(position, 0, entry) : entries;
  return (
    <div id="field-card">
      <h2 class="mb-3 text-lede">{text.preview}</h2>
      <div class="rounded-panel border border-rule bg-raised p-5">
        <p class="font-serif text-h2 break-words">
          <bdi>{full_name}</bdi>
        </p>
        <p class="text-small text-soft">{shell.roles[role]}</p>
        {lines.length > 0 && <CardLines lines={lines} marked={entry} look="mt-3 border-t border-rule pt-3" />}
      </div>
      {!entry.isOnCard && (
        <>
          <p class="mt-4 text-small text-soft">{text.notOnCard}</p>
          <CardLines lines={[entry]} marked={entry} look="mt-2 border-s border-rule ps-4" />
        </>
      )}
      {entry.hint !== "" && (
        <p class="mt-4 text-small text-soft">
          {text.hintShown} <bdi class="text-ink">{entry.hint}</bdi>
        </p>
      )}
    </div>
  );
}

interface CardLinesProps {
  readonly lines: readonly CardEntry[];
  /** The entry of the edited field, which stands out. */
  readonly marked: CardEntry;
  readonly look: string;
}

function CardLines({ lines, marked, look }: CardLinesProps) {
  return (
    <dl class={`grid gap-3 ${look}`}>
      {lines.map((line, at) => (
        <div key={at} class={line === marked ? "" : "text-soft"}>
          <dt class="text-small text-soft">
            <bdi>{line.label}</bdi>
          </dt>
          <dd>
            <bdi class={line.address === "" ? "" : "link"}>{line.value}</bdi>
            {line.address !== "" && (
              <span dir="ltr" class="block font-mono text-tiny break-all text-soft">{line.address}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
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
        <p>{common.cannotUndo}</p>
      </>
    );
  },
  run: async ({ chat, caller, t, messages }, { id, name }) => {
    await deleteField(chat, caller, id);
    return { flash: t(messages.profileFields.deleted, { name }) };
  },
});
