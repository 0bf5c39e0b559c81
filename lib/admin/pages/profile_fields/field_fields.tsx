import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CharacterCountHint } from "@/components/admin/CharacterCountHint.tsx";
import { CheckField, TextInput } from "@/components/admin/fields.tsx";
import { type FormState, formState } from "@/components/admin/form_state.ts";
import {
  type CardEntry,
  type CardViewer,
  toCardEntry,
} from "@/components/admin/profile_fields/card_entry.ts";
import {
  applyDraftAction,
  type ChoiceRow,
  DRAFT_FIELD,
  toChoiceRows,
} from "@/components/admin/profile_fields/choice_rows.ts";
import ChoicesEditor from "@/islands/admin/profile_fields/ChoicesEditor.tsx";
import { PronounsPrefill } from "@/islands/admin/profile_fields/FieldPreview.tsx";
import SaveWhenChanged from "@/islands/admin/profile_fields/SaveWhenChanged.tsx";
import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import type { FieldFormData } from "./field_data.ts";

// The form of a new field contains the settings of every type; the style sheet hides those of the types that
// are not chosen, so that the form works without JavaScript.

/** Shown while a list of options is chosen. */
const FOR_CHOICES = "group-has-[[data-kind]:checked:not([value='3'])]:hidden";
/** Shown while an external account is chosen. */
const FOR_ACCOUNTS = "group-has-[[data-kind]:checked:not([value='7'])]:hidden";
/** Shown while pronouns are chosen. */
const FOR_PRONOUNS = "group-has-[[data-kind]:checked:not([value='8'])]:hidden";
/** Hidden while an account type is chosen that has a fixed label and hint. */
const NOT_FOR_KNOWN = "group-has-[[data-kind][value='7']:checked]:group-has-[[data-known]:checked]:hidden";
/** Hidden while an account type is chosen that has a known URL pattern. */
const FOR_CUSTOM = "group-has-[[data-known]:checked]:hidden";
/** Hidden while a type is chosen that cannot be displayed on the card. */
const FOR_CARD =
  "group-has-[[data-kind][value='2']:checked]:hidden group-has-[[data-kind][value='6']:checked]:hidden";
/** Shown while a type is chosen that user searches can match. */
const FOR_MATCHING = "group-has-[[data-kind]:checked:not([value='1'],[value='7'])]:hidden";

/** Values of a profile field form: those stored, or those submitted and refused. */
interface FieldDraft {
  readonly state: FormState;
  /** Whether the values were submitted. */
  readonly isTyped: boolean;
  readonly rows: readonly ChoiceRow[];
  /** Keys of the choices whose removal is confirmed. */
  readonly agreed: readonly string[];
  /** The field as displayed on a card. */
  readonly line: CardEntry;
}

/** Returns the values to render a profile field form with. */
export function fieldDraft(data: FieldFormData, refused: RefusedForm | null, viewer: CardViewer): FieldDraft {
  const action = data.id === null ? "create" : "save";
  const state = formState(refused, action);
  if (refused?.action !== action) {
    return { state, isTyped: false, rows: data.choices.map(toRow), agreed: [], line: data.line };
  }
  const sent = (name: string) => refused.typed[name] ?? [];
  const rows = applyDraftAction(
    toChoiceRows(sent("choice_key"), sent("choice_text")),
    state.value(DRAFT_FIELD),
    { language: viewer.formatter.language, stored: data.choices },
  ).map(toRow);
  return { state, isTyped: true, rows, agreed: sent("drop"), line: typedLine(data, { state, rows }, viewer) };
}

function typedLine(
  data: FieldFormData,
  { state, rows }: Pick<FieldDraft, "state" | "rows">,
  viewer: CardViewer,
): CardEntry {
  const type = data.id === null ? Number(state.value("field_type")) : data.type;
  const account = data.id === null ? state.value("account") : data.account;
  const known = type === 7 ? data.accounts.find(({ subtype }) => subtype === account) : undefined;
  return toCardEntry({
    type,
    label: known?.name ?? state.value("name"),
    hint: known?.hint ?? state.value("hint"),
    pattern: known?.pattern ?? state.value("url_pattern"),
    firstChoice: rows.find(({ text }) => text.trim() !== "")?.text ?? "",
    isOnCard: state.isTicked("on_card", false),
  }, viewer);
}

/** Returns only the properties of a row that islands need. */
function toRow({ key, text }: ChoiceRow): ChoiceRow {
  return { key, text };
}

/** Id of the profile field form. */
export const FIELD_FORM_ID = "field-form";

interface FieldFormProps {
  readonly data: FieldFormData;
  readonly draft: FieldDraft;
}

/** Renders the form that creates or changes a profile field: type settings, label, hint and switches. */
export function FieldForm({ data, draft }: FieldFormProps) {
  const { messages } = useAdmin();
  const text = messages.profileFields;
  const { state } = draft;
  const isNew = data.id === null;
  return (
    <div class="group [&_button:disabled]:cursor-default [&_button:disabled]:opacity-50">
      <AdminForm
        id={FIELD_FORM_ID}
        state={state}
        button={isNew ? text.create : messages.common.save}
        hidden={isNew ? {} : { seen: data.seen }}
        beside={
          <SaveWhenChanged
            formId={FIELD_FORM_ID}
            isChanged={draft.isTyped}
            nothing={isNew ? "" : text.nothingChanged}
          />
        }
      >
        {/* The Enter key presses the first button of a form. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" class="sr-only" />
        {isNew && <TypePicker state={state} type={data.type} />}
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
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const isNew = data.id === null;
  const isKnown = data.accounts.some(({ subtype }) => subtype === data.account) && !isNew;
  const hasAccount = isNew || (data.type === 7 && !isKnown);
  return (
    <>
      {hasAccount && (
        <div class={isNew ? `border-t border-rule pt-4 ${FOR_ACCOUNTS}` : ""}>
          <AccountFields state={draft.state} data={data} />
        </div>
      )}
      {isKnown
        ? <p class="text-soft">{formatter.t(text.accountFixed, { name: data.name })}</p>
        : <LabelFields data={data} draft={draft} />}
      {(isNew || data.type === 3) && <Choices data={data} draft={draft} />}
    </>
  );
}

function LabelFields({ data, draft: { state } }: FieldFormProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const isNew = data.id === null;
  return (
    <div class={`grid gap-4 ${isNew ? `border-t border-rule pt-4 ${NOT_FOR_KNOWN}` : ""}`}>
      <TextInput
        state={state}
        name="name"
        label={text.label}
        stored={data.name}
        hint={<CharacterCountHint text={text.labelHint} fieldId="name" limit={data.limits.name} />}
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
        stored={data.hint}
        hint={<CharacterCountHint text={text.hintHint} fieldId="hint" limit={data.limits.hint} />}
      />
    </div>
  );
}

function Choices({ data, draft }: FieldFormProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const { moveUpOf, moveDownOf, moved } = messages.common;
  const problem = draft.state.problem("choices");
  return (
    <fieldset
      id="choices"
      class={`min-w-0 border-t border-rule pt-4 ${data.id === null ? FOR_CHOICES : ""}`}
      aria-describedby={problem === undefined ? "choices-hint" : "choices-problem choices-hint"}
    >
      <legend class="sr-only">{text.choices}</legend>
      <p aria-hidden="true" class={FIELD_LABEL}>{text.choices}</p>
      <p id="choices-hint" class={`mb-2 ${FIELD_HINT}`}>
        {formatter.t(text.choicesHint, { count: data.limits.choices })}
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
  const { messages } = useAdmin();
  const text = messages.profileFields;
  const chosen = state.value("field_type", String(type));
  const problem = state.problem("field_type");
  return (
    <fieldset class="min-w-0" aria-describedby={problem === undefined ? undefined : "type-problem"}>
      <legend class={`${FIELD_LABEL} mb-2`}>{text.typeTitle}</legend>
      <div class="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {TYPES.map((value) => (
          <label
            key={value}
            class="-mx-2.5 grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 rounded-control px-2.5 py-2 has-[:checked]:bg-wash"
          >
            <input
              type="radio"
              name="field_type"
              data-kind
              value={value}
              defaultChecked={String(value) === chosen}
              aria-labelledby={`type-${value}-name`}
              aria-describedby={`type-${value}-about`}
              class="mt-0.5 size-5 accent-ink"
            />
            <span class="min-w-0">
              <span id={`type-${value}-name`} class="block font-strong">{text.types[value].name}</span>
              <span id={`type-${value}-about`} class="block text-small text-soft">
                {text.types[value].about}
              </span>
            </span>
          </label>
        ))}
      </div>
      {problem !== undefined && <p id="type-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
    </fieldset>
  );
}

/** Renders the choice of an external account type, and the URL pattern of a custom one. */
function AccountFields({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const token = data.accountName;
  const example = `https://example.com/${token}`;
  return (
    <div class="grid gap-4">
      {data.id === null && <AccountPicker state={state} data={data} />}
      <div class={data.id === null ? FOR_CUSTOM : ""}>
        <TextInput
          state={state}
          name="url_pattern"
          label={text.pattern}
          stored={data.pattern}
          isMono
          placeholder={example}
          hint={formatter.t(text.patternHint, { token, example })}
        />
      </div>
    </div>
  );
}

function AccountPicker({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const chosen = state.value("account", data.account);
  const problem = state.problem("account");
  const choices = [
    ...data.accounts.map(({ subtype, text: title, name, isTaken }) => ({
      value: subtype,
      title: isTaken ? formatter.t(text.accountTaken, { name: title }) : title,
      about: isTaken ? null : formatter.t(text.accountLabel, { name }),
      isTaken,
    })),
    { value: "custom", title: text.accountCustom, about: null, isTaken: false },
  ];
  return (
    <fieldset class="min-w-0" aria-describedby={problem === undefined ? undefined : "account-problem"}>
      <legend class={`${FIELD_LABEL} mb-1`}>{text.accountTitle}</legend>
      {choices.map(({ value, title, about, isTaken }) => (
        <label key={value} class={`flex min-h-9 items-start gap-2.5 py-1.5 ${isTaken ? "text-soft" : ""}`}>
          <input
            type="radio"
            name="account"
            value={value}
            data-known={value === "custom" ? undefined : true}
            defaultChecked={value === chosen}
            disabled={isTaken}
            class="mt-0.5 size-5 flex-none accent-ink"
          />
          <span class="min-w-0">
            {title}
            {about !== null && <span class="block text-small text-soft">{about}</span>}
          </span>
        </label>
      ))}
      {problem !== undefined && <p id="account-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
    </fieldset>
  );
}

/** Renders a field's switches, such as required and displayed on the card. */
function FieldSwitches({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages } = useAdmin();
  const text = messages.profileFields;
  return (
    <fieldset class="grid items-start gap-x-6 gap-y-3 border-t border-rule pt-4 sm:grid-cols-2">
      <legend class="sr-only">{text.settings}</legend>
      {data.offersCard && <CardSwitchField state={state} data={data} />}
      <CheckField
        state={state}
        name="required"
        label={text.required}
        hint={text.requiredHint}
        stored={data.isRequired}
      />
      <CheckField
        state={state}
        name="editable"
        label={text.editable}
        hint={text.editableHint}
        stored={data.isEditable}
      />
      {data.offersMatching && (
        <div class={data.id === null ? FOR_MATCHING : ""}>
          <CheckField
            state={state}
            name="matching"
            label={text.matching}
            hint={text.matchingHint}
            stored={data.isMatching}
          />
        </div>
      )}
    </fieldset>
  );
}

function CardSwitchField({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const isFull = data.isCardFull && !data.isOnCard;
  const names = formatter.list(data.othersOnCard.map(({ label }) => label));
  return (
    <div class={data.id === null ? FOR_CARD : ""}>
      <CheckField
        state={state}
        name="on_card"
        label={text.onCard}
        hint={isFull ? formatter.t(text.cardFull, { names }) : text.onCardHint}
        stored={data.isOnCard}
        isDisabled={isFull}
      />
    </div>
  );
}
