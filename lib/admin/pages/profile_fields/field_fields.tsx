import { CHOICE_MESSAGES } from "@/components/admin/profile_fields/ChoiceRowEditor.tsx";
import { translate } from "@/lib/ui/translate.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { CheckField, RadioField } from "@/components/admin/fields.tsx";
import { type FormState, formState, useRefusedForm } from "@/components/admin/form_state.ts";
import { applyDraft, DRAFT_FIELD } from "@/components/admin/profile_fields/choice_rows.ts";
import ChoicesEditor from "@/islands/admin/profile_fields/ChoicesEditor.tsx";
import PronounsPrefill from "@/islands/admin/profile_fields/PronounsPrefill.tsx";
import SaveWhenChanged from "@/islands/admin/profile_fields/SaveWhenChanged.tsx";
import { flag, text } from "@/lib/admin/declare/fields.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { FormFields } from "@/lib/admin/form_fields.ts";
import { REVISION_FIELD, revisionOf } from "@/lib/admin/revision.ts";
import { findKnownSubtype, USERNAME } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  MAX_CHOICES,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useFullCard } from "./field_card.tsx";
import {
  accountOf,
  canMatch,
  CUSTOM_ACCOUNT,
  type FieldPageData,
  findFreeAccount,
  fitsOnCard,
  listAccounts,
  PRONOUNS,
  readInput,
  readRows,
  toInput,
  TYPES,
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

const Label = text({
  label: "Label",
  hint: "The name of the field. Up to {count} characters.",
  max: MAX_FIELD_NAME,
  countsDown: true,
}).View;
const Hint = text({
  label: "Hint",
  hint: "Help text for users who fill in the field. Up to {count} characters.",
  max: MAX_FIELD_HINT,
  countsDown: true,
}).View;
const UrlPattern = text({
  label: "URL pattern",
  hint: `${USERNAME} stands for the user name, as in https://example.com/${USERNAME}`,
  isMono: true,
}).View;
const Required = flag({ label: "Required", hint: "Users are asked to fill it in." }).View;
const Editable =
  flag({ label: "Users can edit it", hint: "If off, only administrators can fill it in." }).View;
const Matching = flag({
  label: "Use for matching",
  hint: "Users can be found by this value as well as by name.",
}).View;

/** Returns the values to render a profile field form with: those stored, or those submitted and refused. */
export function useFieldDraft(data: FieldPageData) {
  const { isNew, field, choices } = data;
  const { t, formatter: { language } } = useAdmin();
  const refused = useRefusedForm();
  const action = isNew ? "create" : "save";
  const state = formState(refused, action);
  if (refused?.action !== action) {
    return { state, isTyped: false, rows: choices, agreed: [], input: toInput(field) };
  }
  const typed = new FormFields(
    Object.entries(refused.typed).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  );
  const rows = applyDraft(readRows(typed), typed.text(DRAFT_FIELD), { language, stored: choices });
  const input = readInput({ t }, typed, data, rows);
  return { state, isTyped: true, rows, agreed: typed.all("drop"), input };
}

/** Id of the profile field form. */
export const FIELD_FORM_ID = "field-form";

interface FieldFormProps {
  readonly data: FieldPageData;
  readonly draft: ReturnType<typeof useFieldDraft>;
}

/** Renders the form that creates or changes a profile field: type settings, label, hint and switches. */
export function FieldForm({ data, draft }: FieldFormProps) {
  const { t } = useAdmin();
  const { isNew, field } = data;
  const { state } = draft;
  const isChoice = field.type === FIELD_TYPE.choice;
  const isKnown = !isNew && findKnownSubtype(field.type, field.field_data) !== null;
  return (
    <div class="group [&_button:disabled]:cursor-default [&_button:disabled]:opacity-50">
      <AdminForm
        id={FIELD_FORM_ID}
        state={state}
        button={isNew ? t("Add field") : t("Save")}
        hidden={isNew ? {} : { [REVISION_FIELD]: revisionOf({ ...field, order: 0 }) }}
        beside={isNew ? <CancelLink to="/admin/profile-fields" /> : (
          <SaveWhenChanged
            formId={FIELD_FORM_ID}
            isChanged={draft.isTyped}
            nothing={t("No changes to save.")}
          />
        )}
      >
        {/* The Enter key presses the first button of a form. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" class="sr-only" />
        {isNew && <TypePicker state={state} type={field.type} />}
        {(isNew || field.type === FIELD_TYPE.externalAccount) && !isKnown && (
          <AccountFields data={data} state={state} />
        )}
        {isKnown
          ? (
            <p class="text-soft">
              {t("The label of this account type is always “{name}”.", { name: field.name })}
            </p>
          )
          : <LabelFields data={data} state={state} />}
        {(isNew || isChoice) && <Choices data={data} draft={draft} />}
        <FieldSwitches data={data} state={state} />
      </AdminForm>
      {isNew && (
        <PronounsPrefill formId={FIELD_FORM_ID} type="8" name={t(PRONOUNS.name)} hint={t(PRONOUNS.hint)} />
      )}
    </div>
  );
}

/** Props of fields; those of a new field are rendered for all types, and the style sheet shows those of the chosen one. */
interface FieldsProps {
  readonly data: FieldPageData;
  readonly state: FormState;
}

function LabelFields({ data: { isNew, field }, state }: FieldsProps) {
  const { t } = useAdmin();
  return (
    <div class={`grid gap-4 ${isNew ? `border-t border-rule pt-4 ${NOT_FOR_KNOWN}` : ""}`}>
      <Label name="name" state={state} stored={field.name} options={[]} />
      {isNew && (
        <noscript>
          <p class={`-mt-2 ${FIELD_HINT} ${FOR_PRONOUNS}`}>
            {t("If the label is empty, it becomes “{name}”, with a matching hint.", {
              name: t(PRONOUNS.name),
            })}
          </p>
        </noscript>
      )}
      <Hint name="hint" state={state} stored={field.hint} options={[]} />
    </div>
  );
}

function Choices({ data, draft }: FieldFormProps) {
  const { t, formatter: { language } } = useAdmin();
  const problem = draft.state.problem("choices");
  return (
    <fieldset
      id="choices"
      class={`min-w-0 border-t border-rule pt-4 ${data.isNew ? FOR_CHOICES : ""}`}
      aria-describedby={problem === undefined ? "choices-hint" : "choices-problem choices-hint"}
    >
      <legend class="sr-only">{t("Choices")}</legend>
      <p aria-hidden="true" class={FIELD_LABEL}>{t("Choices")}</p>
      <p id="choices-hint" class={`mb-2 ${FIELD_HINT}`}>
        {t("Up to {count} choices. Empty lines are ignored.", { count: MAX_CHOICES })}
      </p>
      {problem !== undefined && (
        <p id="choices-problem" role="alert" class={`mb-2 ${FIELD_PROBLEM}`}>{problem}</p>
      )}
      <ChoicesEditor
        rows={draft.rows}
        stored={data.choices}
        agreed={draft.agreed}
        lossProblem={draft.state.problem("drop")}
        language={language}
        messages={translate(language, CHOICE_MESSAGES)}
      />
    </fieldset>
  );
}

/** Renders the choice of a new field's type, each with an explanation. */
function TypePicker({ state, type }: { state: FormState; type: number }) {
  const { text, t } = useTexts(TYPES);
  return (
    <RadioField
      state={state}
      name="field_type"
      id="type"
      label={t("Type")}
      stored={String(type)}
      choices={Object.entries(text).map(([value, { name, about }]) => ({ value, label: name, hint: about }))}
      look="grid gap-x-6 gap-y-1 sm:grid-cols-2"
    />
  );
}

/** Renders the choice of an external account type, and the URL pattern of a custom one. */
function AccountFields({ data: { isNew, field, others }, state }: FieldsProps) {
  const { t } = useAdmin();
  const accounts = listAccounts(others).map(({ subtype, text, name, isTaken }) => ({
    value: subtype,
    label: isTaken ? t("{name} (already added)", { name: text }) : text,
    hint: isTaken
      ? undefined
      : t("The label is “{name}”. Users enter their user name on that site.", { name }),
    isDisabled: isTaken,
  }));
  return (
    <div class={`grid gap-4 ${isNew ? `border-t border-rule pt-4 ${FOR_ACCOUNTS}` : ""}`}>
      {isNew && (
        <RadioField
          state={state}
          name="account"
          label={t("Account type")}
          stored={findFreeAccount(others)}
          choices={[...accounts, { value: CUSTOM_ACCOUNT, label: t("Other site") }]}
        />
      )}
      <div class={isNew ? FOR_CUSTOM : ""}>
        <UrlPattern
          name="url_pattern"
          state={state}
          stored={accountOf(toInput(field)).pattern}
          options={[]}
        />
      </div>
    </div>
  );
}

/** Renders a field's switches, such as required and displayed on the card. */
function FieldSwitches({ data: { isNew, field, others }, state }: FieldsProps) {
  const { t } = useAdmin();
  const { type, display_in_profile_summary: isOnCard } = field;
  const full = useFullCard(isOnCard ? [] : others);
  return (
    <fieldset class="grid items-start gap-x-6 gap-y-3 border-t border-rule pt-4 sm:grid-cols-2">
      <legend class="sr-only">{t("Settings")}</legend>
      {(isNew || isOnCard || fitsOnCard(type)) && (
        <div class={isNew ? FOR_CARD : ""}>
          <CheckField
            state={state}
            name="on_card"
            label={t("Show on the card")}
            hint={full ?? t("The card opens when you click the name of a user. It shows up to two fields.")}
            stored={isOnCard}
            isDisabled={full !== null}
          />
        </div>
      )}
      <Required name="required" state={state} stored={field.required} options={[]} />
      <Editable name="editable" state={state} stored={field.editable_by_user} options={[]} />
      {(isNew || canMatch(type)) && (
        <div class={isNew ? FOR_MATCHING : ""}>
          <Matching name="matching" state={state} stored={field.use_for_user_matching} options={[]} />
        </div>
      )}
    </fieldset>
  );
}
