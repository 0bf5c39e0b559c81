import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CharacterCountHint } from "@/components/admin/CharacterCountHint.tsx";
import { CheckField, RadioField, TextInput } from "@/components/admin/fields.tsx";
import { type FormState, formState, useRefusedForm } from "@/components/admin/form_state.ts";
import {
  applyDraft,
  type ChoiceRow,
  DRAFT_FIELD,
  type StoredChoice,
} from "@/components/admin/profile_fields/choice_rows.ts";
import ChoicesEditor from "@/islands/admin/profile_fields/ChoicesEditor.tsx";
import PronounsPrefill from "@/islands/admin/profile_fields/PronounsPrefill.tsx";
import SaveWhenChanged from "@/islands/admin/profile_fields/SaveWhenChanged.tsx";
import { FormFields, type TypedFields } from "@/lib/admin/form_fields.ts";
import { REVISION_FIELD, revisionOf } from "@/lib/admin/revision.ts";
import type { ProfileFieldInput } from "@/lib/chat/people/profile_fields/model/check_value.ts";
import { findKnownSubtype } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  MAX_CHOICES,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import {
  ACCOUNT_NAME,
  accountOf,
  canMatch,
  CUSTOM_ACCOUNT,
  findFreeAccount,
  fitsOnCard,
  listAccounts,
  readInput,
  readRows,
  toInput,
} from "./field_data.ts";

// The form of a new field contains the settings of every type; the style sheet hides those of the types that
// are not chosen, so that the form works without JavaScript.

/** Shown while a list of options is chosen. */
const FOR_CHOICES = "group-has-[[name^=field]:checked:not([value='3'])]:hidden";
/** Shown while an external account is chosen. */
const FOR_ACCOUNTS = "group-has-[[name^=field]:checked:not([value='7'])]:hidden";
/** Shown while pronouns are chosen. */
const FOR_PRONOUNS = "group-has-[[name^=field]:checked:not([value='8'])]:hidden";
/** Hidden while an account type is chosen that has a fixed label and hint. */
const NOT_FOR_KNOWN =
  "group-has-[[name^=field][value='7']:checked]:group-has-[[name=account]:checked:not([value=custom])]:hidden";
/** Hidden while an account type is chosen that has a known URL pattern. */
const FOR_CUSTOM = "group-has-[[name=account]:checked:not([value=custom])]:hidden";
/** Hidden while a type is chosen that cannot be displayed on the card. */
const FOR_CARD =
  "group-has-[[name^=field][value='2']:checked]:hidden group-has-[[name^=field][value='6']:checked]:hidden";
/** Shown while a type is chosen that user searches can match. */
const FOR_MATCHING = "group-has-[[name^=field]:checked:not([value='1'],[value='7'])]:hidden";

/** Data of the page of a field. */
export interface FieldPageData {
  readonly isNew: boolean;
  /** The stored field, or the initial values of a new one. */
  readonly field: ProfileFieldRecord;
  readonly others: readonly ProfileFieldRecord[];
  readonly choices: readonly StoredChoice[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Values of a profile field form: those stored, or those submitted and refused. */
interface FieldDraft {
  readonly state: FormState;
  /** Whether the values were submitted. */
  readonly isTyped: boolean;
  readonly rows: readonly ChoiceRow[];
  /** Keys of the choices whose removal is confirmed. */
  readonly agreed: readonly string[];
  readonly input: ProfileFieldInput;
}

/** Returns the values to render a profile field form with. */
export function useFieldDraft({ isNew, field, choices }: FieldPageData): FieldDraft {
  const { messages, formatter: { language } } = useAdmin();
  const refused = useRefusedForm();
  const action = isNew ? "create" : "save";
  const state = formState(refused, action);
  if (refused?.action !== action) {
    const rows = choices.map(({ key, text }) => ({ key, text }));
    return { state, isTyped: false, rows, agreed: [], input: toInput(field) };
  }
  const typed = toFormFields(refused.typed);
  const rows = applyDraft(readRows(typed), state.value(DRAFT_FIELD), { language, stored: choices });
  const [choice_key, choice_text] = [rows.map(({ key }) => key), rows.map(({ text }) => text)];
  const edited = toFormFields({ ...refused.typed, choice_key, choice_text });
  const input = readInput({ messages }, edited, isNew ? null : field);
  return { state, isTyped: true, rows, agreed: typed.all("drop"), input };
}

function toFormFields(typed: TypedFields): FormFields {
  return new FormFields(
    Object.entries(typed).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  );
}

/** Id of the profile field form. */
export const FIELD_FORM_ID = "field-form";

interface FieldFormProps {
  readonly data: FieldPageData;
  readonly draft: FieldDraft;
}

/** Renders the form that creates or changes a profile field: type settings, label, hint and switches. */
export function FieldForm({ data, draft }: FieldFormProps) {
  const { messages: { profileFields: text, common } } = useAdmin();
  const { state } = draft;
  const { isNew } = data;
  return (
    <div class="group [&_button:disabled]:cursor-default [&_button:disabled]:opacity-50">
      <AdminForm
        id={FIELD_FORM_ID}
        state={state}
        button={isNew ? text.create : common.save}
        hidden={isNew ? {} : { [REVISION_FIELD]: revisionOf({ ...data.field, order: 0 }) }}
        beside={!isNew && (
          <SaveWhenChanged
            formId={FIELD_FORM_ID}
            isChanged={draft.isTyped}
            nothing={text.nothingChanged}
          />
        )}
      >
        {/* The Enter key presses the first button of a form. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" class="sr-only" />
        {isNew && <TypePicker state={state} type={data.field.type} />}
        <TypeFields data={data} draft={draft} />
        <FieldSwitches state={state} data={data} />
      </AdminForm>
      {isNew && (
        <PronounsPrefill formId={FIELD_FORM_ID} type="8" name={text.pronounsName} hint={text.pronounsHint} />
      )}
    </div>
  );
}

/**
 * Renders the settings of the field's type; a new field has those of all types, and the style sheet shows the
 * chosen one.
 */
function TypeFields({ data, draft }: FieldFormProps) {
  const { messages: { profileFields: text }, formatter } = useAdmin();
  const { isNew } = data;
  const { name, type, field_data } = data.field;
  const isKnown = !isNew && findKnownSubtype(type, field_data) !== null;
  const hasAccount = isNew || (type === FIELD_TYPE.externalAccount && !isKnown);
  return (
    <>
      {hasAccount && (
        <div class={isNew ? `border-t border-rule pt-4 ${FOR_ACCOUNTS}` : ""}>
          <AccountFields state={draft.state} data={data} />
        </div>
      )}
      {isKnown
        ? <p class="text-soft">{formatter.t(text.accountFixed, { name })}</p>
        : <LabelFields data={data} draft={draft} />}
      {(isNew || type === FIELD_TYPE.choice) && <Choices data={data} draft={draft} />}
    </>
  );
}

function LabelFields({ data, draft: { state } }: FieldFormProps) {
  const { messages: { profileFields: text }, formatter } = useAdmin();
  const { isNew } = data;
  return (
    <div class={`grid gap-4 ${isNew ? `border-t border-rule pt-4 ${NOT_FOR_KNOWN}` : ""}`}>
      <TextInput
        state={state}
        name="name"
        label={text.label}
        stored={data.field.name}
        hint={<CharacterCountHint text={text.labelHint} fieldId="name" limit={MAX_FIELD_NAME} />}
      />
      {isNew && (
        <noscript>
          <p class={`-mt-2 ${FIELD_HINT} ${FOR_PRONOUNS}`}>
            {formatter.t(text.pronounsNote, { name: text.pronounsName })}
          </p>
        </noscript>
      )}
      <TextInput
        state={state}
        name="hint"
        label={text.hint}
        stored={data.field.hint}
        hint={<CharacterCountHint text={text.hintHint} fieldId="hint" limit={MAX_FIELD_HINT} />}
      />
    </div>
  );
}

function Choices({ data, draft }: FieldFormProps) {
  const { messages: { profileFields: text, common }, formatter } = useAdmin();
  const { moveUpOf, moveDownOf, moved } = common;
  const problem = draft.state.problem("choices");
  return (
    <fieldset
      id="choices"
      class={`min-w-0 border-t border-rule pt-4 ${data.isNew ? FOR_CHOICES : ""}`}
      aria-describedby={problem === undefined ? "choices-hint" : "choices-problem choices-hint"}
    >
      <legend class="sr-only">{text.choices}</legend>
      <p aria-hidden="true" class={FIELD_LABEL}>{text.choices}</p>
      <p id="choices-hint" class={`mb-2 ${FIELD_HINT}`}>
        {formatter.t(text.choicesHint, { count: MAX_CHOICES })}
      </p>
      {problem !== undefined && (
        <p id="choices-problem" role="alert" class={`mb-2 ${FIELD_PROBLEM}`}>{problem}</p>
      )}
      <ChoicesEditor
        rows={draft.rows}
        stored={data.choices}
        agreed={draft.agreed}
        lossProblem={draft.state.problem("drop")}
        language={formatter.language}
        messages={{ ...text.choiceEditor, ...{ moveUpOf, moveDownOf, moved } }}
      />
    </fieldset>
  );
}

const TYPES = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Renders the choice of a new field's type, each with an explanation. */
function TypePicker({ state, type }: { state: FormState; type: number }) {
  const { messages: { profileFields: text } } = useAdmin();
  return (
    <RadioField
      state={state}
      name="field_type"
      id="type"
      label={text.typeTitle}
      stored={String(type)}
      choices={TYPES.map((value) => ({
        value: String(value),
        label: text.types[value].name,
        hint: text.types[value].about,
      }))}
      look="grid gap-x-6 gap-y-1 sm:grid-cols-2"
    />
  );
}

/** Renders the choice of an external account type, and the URL pattern of a custom one. */
function AccountFields({ state, data }: { state: FormState; data: FieldPageData }) {
  const { messages: { profileFields: text }, formatter } = useAdmin();
  const token = ACCOUNT_NAME;
  const example = `https://example.com/${token}`;
  return (
    <div class="grid gap-4">
      {data.isNew && <AccountPicker state={state} data={data} />}
      <div class={data.isNew ? FOR_CUSTOM : ""}>
        <TextInput
          state={state}
          name="url_pattern"
          label={text.pattern}
          stored={accountOf(toInput(data.field)).pattern}
          isMono
          placeholder={example}
          hint={formatter.t(text.patternHint, { token, example })}
        />
      </div>
    </div>
  );
}

function AccountPicker({ state, data }: { state: FormState; data: FieldPageData }) {
  const { messages: { profileFields: text }, formatter } = useAdmin();
  const accounts = listAccounts(data.others).map(({ subtype, text: title, name, isTaken }) => ({
    value: subtype,
    label: isTaken ? formatter.t(text.accountTaken, { name: title }) : title,
    hint: isTaken ? undefined : formatter.t(text.accountLabel, { name }),
    isDisabled: isTaken,
  }));
  return (
    <RadioField
      state={state}
      name="account"
      label={text.accountTitle}
      stored={findFreeAccount(data.others)}
      choices={[...accounts, { value: CUSTOM_ACCOUNT, label: text.accountCustom }]}
    />
  );
}

/** Renders a field's switches, such as required and displayed on the card. */
function FieldSwitches(
  { state, data: { isNew, field, others } }: { state: FormState; data: FieldPageData },
) {
  const { messages: { profileFields: text }, formatter } = useAdmin();
  const { type, display_in_profile_summary: isOnCard } = field;
  const onCard = others.filter((other) => other.display_in_profile_summary).map(({ name }) => name);
  const isFull = onCard.length >= MAX_IN_SUMMARY && !isOnCard;
  const cardHint = isFull ? formatter.t(text.cardFull, { names: formatter.list(onCard) }) : text.onCardHint;
  const switches = [
    ...(isNew || isOnCard || fitsOnCard(type)
      ? [{ name: "on_card", label: text.onCard, hint: cardHint, stored: isOnCard, look: FOR_CARD }]
      : []),
    { name: "required", label: text.required, hint: text.requiredHint, stored: field.required },
    { name: "editable", label: text.editable, hint: text.editableHint, stored: field.editable_by_user },
    ...(isNew || canMatch(type)
      ? [{
        name: "matching",
        label: text.matching,
        hint: text.matchingHint,
        stored: field.use_for_user_matching,
        look: FOR_MATCHING,
      }]
      : []),
  ];
  return (
    <fieldset class="grid items-start gap-x-6 gap-y-3 border-t border-rule pt-4 sm:grid-cols-2">
      <legend class="sr-only">{text.settings}</legend>
      {switches.map(({ look = "", ...field }) => (
        <div key={field.name} class={isNew ? look : ""}>
          <CheckField state={state} {...field} isDisabled={field.name === "on_card" && isFull} />
        </div>
      ))}
    </fieldset>
  );
}
