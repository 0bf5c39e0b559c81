import ChoicesEditor from "@/islands/admin/profile_fields/ChoicesEditor.tsx";
import SaveWhenChanged from "@/islands/admin/profile_fields/SaveWhenChanged.tsx";
import PronounsPrefill from "@/islands/admin/profile_fields/PronounsPrefill.tsx";
import type { FieldFormData } from "@/lib/admin/profile_fields/profile_field_view.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { CharacterCountHint } from "../CharacterCountHint.tsx";
import { AdminForm } from "../AdminForm.tsx";
import { TextInput } from "../fields.tsx";
import { AccountFields } from "./AccountFields.tsx";
import { choiceMessages } from "./choice_words.ts";
import type { FieldDraft } from "./field_draft.ts";
import { FieldSwitches } from "./FieldSwitches.tsx";
import { FOR_ACCOUNTS, FOR_CHOICES, FOR_PRONOUNS, NOT_FOR_KNOWN } from "./type_visibility.ts";
import { TypePicker } from "./TypePicker.tsx";

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
        messages={choiceMessages(messages)}
      />
    </fieldset>
  );
}
