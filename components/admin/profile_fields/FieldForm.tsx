import ChoicesEditor from "@/islands/ChoicesEditor.tsx";
import SaveWhenChanged from "@/islands/SaveWhenChanged.tsx";
import PronounsPrefill from "@/islands/PronounsPrefill.tsx";
import type { FieldFormData } from "@/lib/admin/profile_field_view.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { CountedHint } from "../CountedHint.tsx";
import { AdminForm } from "../AdminForm.tsx";
import { TextInput } from "../fields.tsx";
import { AccountFields } from "./AccountFields.tsx";
import { choiceWords } from "./choice_words.ts";
import type { FieldDraft } from "./field_draft.ts";
import { FieldSwitches } from "./FieldSwitches.tsx";
import { FOR_ACCOUNTS, FOR_CHOICES, FOR_PRONOUNS, NOT_FOR_KNOWN } from "./kinds.ts";
import { TypePicker } from "./TypePicker.tsx";

/** The id of the form of a field. */
export const FIELD_FORM = "field-form";

interface FieldFormProps {
  readonly data: FieldFormData;
  readonly draft: FieldDraft;
}

/** Makes or changes a field: what belongs to its type, its label and hint, and what it does. */
export function FieldForm({ data, draft }: FieldFormProps) {
  const { words } = useAdmin();
  const text = words.profileFields;
  const { state } = draft;
  const isNew = data.id === null;
  return (
    <div class="group [&_button:disabled]:cursor-default [&_button:disabled]:opacity-50">
      <AdminForm
        id={FIELD_FORM}
        state={state}
        button={isNew ? text.create : words.common.save}
        hidden={isNew ? {} : { seen: data.seen }}
        beside={
          <SaveWhenChanged
            formId={FIELD_FORM}
            isChanged={draft.isTyped}
            nothing={isNew ? "" : text.nothingChanged}
          />
        }
      >
        {/* The first button is the one that the Enter key presses. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" class="sr-only" />
        {isNew && <TypePicker state={state} type={data.type} />}
        <TypeFields data={data} draft={draft} />
        <FieldSwitches state={state} data={data} />
      </AdminForm>
      {isNew && (
        <PronounsPrefill formId={FIELD_FORM} type="8" name={text.pronounsName} hint={text.pronounsHint} />
      )}
    </div>
  );
}

/** The fields of a field that there is are those of its type; a new one has all, and the style sheet chooses. */
function TypeFields({ data, draft }: FieldFormProps) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
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
        ? <p class="text-soft">{speech.say(text.accountFixed, { name: data.name })}</p>
        : <LabelFields data={data} draft={draft} />}
      {(isNew || data.type === 3) && <Choices data={data} draft={draft} />}
    </>
  );
}

function LabelFields({ data, draft: { state } }: FieldFormProps) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
  const isNew = data.id === null;
  return (
    <div class={`grid gap-4 ${isNew ? `border-t border-rule pt-4 ${NOT_FOR_KNOWN}` : ""}`}>
      <TextInput
        state={state}
        name="name"
        label={text.label}
        stored={data.name}
        hint={<CountedHint text={text.labelHint} fieldId="name" limit={data.limits.name} />}
      />
      {isNew && (
        <noscript>
          <p class={`-mt-2 ${FIELD_HINT} ${FOR_PRONOUNS}`}>
            {speech.say(text.pronounsNote, { name: text.pronounsName })}
          </p>
        </noscript>
      )}
      <TextInput
        state={state}
        name="hint"
        label={text.hint}
        stored={data.hint}
        hint={<CountedHint text={text.hintHint} fieldId="hint" limit={data.limits.hint} />}
      />
    </div>
  );
}

function Choices({ data, draft }: FieldFormProps) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
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
        {speech.say(text.choicesHint, { count: data.limits.choices })}
      </p>
      {problem !== undefined && (
        <p id="choices-problem" role="alert" class={`mb-2 ${FIELD_PROBLEM}`}>{problem}</p>
      )}
      <ChoicesEditor
        rows={draft.rows}
        stored={data.choices}
        agreed={draft.agreed}
        lossProblem={draft.state.problem("drop")}
        language={speech.language}
        words={choiceWords(words)}
      />
    </fieldset>
  );
}
