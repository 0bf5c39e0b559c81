import type { ComponentChildren } from "preact";
import { FIELD_HINT, FIELD_LABEL, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { FieldRow } from "../FieldRow.tsx";
import { FieldFrame, FieldNoteLines, getAriaAttributes } from "./FieldFrame.tsx";
import type { FormState } from "./form_state.ts";

interface FieldProps {
  readonly state: FormState;
  /** Name sent with the form. */
  readonly name: string;
  /** Unique on the page; the name by default. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Stored value. */
  readonly stored?: string | undefined;
}

interface TextInputProps extends FieldProps {
  readonly type?: "text" | "email" | "password" | "number" | "url" | "search" | "date" | "datetime-local";
  readonly maxLength?: number | undefined;
  readonly isMono?: boolean;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly takesFocus?: boolean;
  readonly isDisabled?: boolean;
  /** Text of a button that shows a password while it is typed. */
  readonly showText?: string;
}

/** Renders a single-line text field. */
export function TextInput(props: TextInputProps) {
  const { state, name, id = name, label, hint, stored, type = "text", isMono = false } = props;
  const problem = state.problem(name);
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <FieldRow id={id} label={label} showText={props.showText}>
        <input
          {...getAriaAttributes({ id, hint, problem })}
          name={name}
          type={type}
          dir="auto"
          defaultValue={state.value(name, stored)}
          maxLength={props.maxLength}
          placeholder={props.placeholder}
          autoComplete={props.autocomplete ?? "off"}
          autofocus={props.takesFocus ?? problem !== undefined}
          disabled={props.isDisabled}
          spellcheck={isMono ? false : undefined}
          class={`${TEXT_FIELD} ${isMono ? "font-mono text-small" : ""}`}
        />
      </FieldRow>
    </FieldFrame>
  );
}

/** Renders a multi-line text field. */
export function TextArea(props: FieldProps & { rows?: number; maxLength?: number; isMono?: boolean }) {
  const { state, name, id = name, label, hint, stored, rows = 3, maxLength, isMono = false } = props;
  const problem = state.problem(name);
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <textarea
        {...getAriaAttributes({ id, hint, problem })}
        name={name}
        dir="auto"
        rows={rows}
        maxLength={maxLength}
        autofocus={problem !== undefined}
        class={`${TEXT_FIELD} ${isMono ? "font-mono text-small" : ""}`}
        defaultValue={state.value(name, stored)}
      />
    </FieldFrame>
  );
}

interface FileInputProps extends Omit<FieldProps, "stored"> {
  /** Types and endings of the files to choose from. */
  readonly accept: string;
}

/** Renders a field for one file, whose problem may have several lines. */
export function FileInput({ state, name, id = name, label, hint, accept }: FileInputProps) {
  const problem = state.problem(name);
  return (
    <div class="[&_[role=alert]]:whitespace-pre-line">
      <FieldFrame id={id} label={label} hint={hint} problem={problem}>
        <input
          {...getAriaAttributes({ id, hint, problem })}
          type="file"
          name={name}
          accept={accept}
          autofocus={problem !== undefined}
          class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
        />
      </FieldFrame>
    </div>
  );
}

/** An option of a select field or a list of checkboxes. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly isDisabled?: boolean;
}

/** Renders a select field. */
export function SelectField(props: FieldProps & { readonly choices: readonly Choice[] }) {
  const { state, name, id = name, label, hint, stored, choices } = props;
  const problem = state.problem(name);
  const chosen = state.value(name, stored);
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <select {...getAriaAttributes({ id, hint, problem })} name={name} class={TEXT_FIELD}>
        {choices.map((choice) => (
          <option
            key={choice.value}
            value={choice.value}
            selected={choice.value === chosen}
            disabled={choice.isDisabled}
          >
            {choice.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface RadioFieldProps extends Omit<FieldProps, "hint"> {
  readonly choices: readonly (Choice & { readonly hint?: string | undefined })[];
  /** Class names that arrange the choices. */
  readonly look?: string;
}

/** Renders a choice of one of several values, each with a hint. */
export function RadioField(
  { state, name, id = name, label, stored, choices, look = "grid gap-y-1" }: RadioFieldProps,
) {
  const problem = state.problem(name);
  const chosen = state.value(name, stored);
  return (
    <fieldset class="min-w-0" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend class={`${FIELD_LABEL} mb-1.5`}>{label}</legend>
      <div class={look}>
        {choices.map(({ value, label, hint, isDisabled }) => (
          <label key={value} class="flex items-start gap-2.5 py-1.5 text-small has-disabled:text-soft">
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              disabled={isDisabled}
              aria-labelledby={`${id}-${value}-name`}
              aria-describedby={hint === undefined ? undefined : `${id}-${value}-hint`}
              class="mt-0.5 size-5 flex-none accent-ink"
            />
            <span class="grid min-w-0">
              <span id={`${id}-${value}-name`} class="font-strong">{label}</span>
              {hint !== undefined && <span id={`${id}-${value}-hint`} class={FIELD_HINT}>{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldNoteLines id={id} problem={problem} />
    </fieldset>
  );
}

interface CheckFieldProps extends Omit<FieldProps, "stored"> {
  readonly stored: boolean;
  readonly isDisabled?: boolean;
}

/** Renders a checkbox. */
export function CheckField({ state, name, id = name, label, hint, stored, isDisabled }: CheckFieldProps) {
  const problem = state.problem(name);
  return (
    <div class="grid">
      <label class="flex min-h-9 items-start gap-2.5 py-1.5 text-small font-strong has-disabled:text-soft">
        <input
          {...getAriaAttributes({ id, hint, problem })}
          type="checkbox"
          name={name}
          value="true"
          defaultChecked={state.isTicked(name, stored)}
          disabled={isDisabled}
          class="mt-0.5 size-5 flex-none accent-ink"
        />
        {label}
      </label>
      {/* Below the label, not below the box. */}
      <div class="ps-7.5 empty:hidden">
        <FieldNoteLines id={id} hint={hint} problem={problem} />
      </div>
    </div>
  );
}

interface CheckListProps extends Omit<FieldProps, "stored"> {
  readonly choices: readonly (Choice & { readonly note?: string | undefined })[];
  readonly stored?: readonly string[];
  /** Text shown when there are no choices. */
  readonly empty: string;
}

/** Renders checkboxes for several choices, in a box that scrolls. */
export function CheckList(
  { state, name, id = name, label, hint, choices, stored = [], empty }: CheckListProps,
) {
  const problem = state.problem(name);
  return (
    <fieldset
      class="grid min-w-0 content-start gap-y-1.5"
      aria-describedby={getAriaAttributes({ id, hint, problem })["aria-describedby"]}
    >
      <legend class={`${FIELD_LABEL} mb-1.5`}>{label}</legend>
      <ul class="max-h-60 overflow-y-auto rounded-control border border-edge bg-paper px-3 py-1">
        {choices.length === 0 && <li class="py-2 text-small text-soft">{empty}</li>}
        {choices.map((choice) => (
          <li key={choice.value}>
            <label class="flex min-h-9 items-center gap-2.5">
              <input
                type="checkbox"
                name={name}
                value={choice.value}
                defaultChecked={state.holds(name, choice.value, stored)}
                disabled={choice.isDisabled}
                class="size-5 flex-none accent-ink"
              />
              <bdi class="min-w-0 break-words">{choice.label}</bdi>
              {choice.note !== undefined && <span class="text-small text-soft">{choice.note}</span>}
            </label>
          </li>
        ))}
      </ul>
      <FieldNoteLines id={id} hint={hint} problem={problem} />
    </fieldset>
  );
}
