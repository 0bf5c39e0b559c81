import type { FormProblems } from "@/lib/pages/form_problems.ts";
import { FieldRow } from "../FieldRow.tsx";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import type { ComponentChildren } from "preact";

/** Unique on the page. */
const PROBLEM_ID = "form-problem";

interface FormFieldsProps {
  readonly fields: readonly FieldSpec[];
  /** Submitted values by field name. */
  readonly values?: Readonly<Record<string, string>>;
  readonly problems: FormProblems;
}

/** Renders the fields of a form in one column, below the problems that belong to no field. */
export function FormFields({ fields, values = {}, problems }: FormFieldsProps) {
  const general = getFormProblem(problems, fields);
  const focused = fieldToFocus(fields, values, problems);
  return (
    <>
      {general !== null && <FormNotice kind="problem" id={PROBLEM_ID} text={general} />}
      {fields.map((field) => (
        <FormField
          key={field.name}
          {...field}
          hint={field === focused ? field.hint : hintFor(field, problems)}
          defaultValue={values[field.name]}
          problem={problems[field.name]}
          takesFocus={field === focused}
          describedBy={field === focused && general !== null ? PROBLEM_ID : undefined}
        />
      ))}
    </>
  );
}

/** Returns the problems that belong to none of the fields as one text, or null. */
export function getFormProblem(problems: FormProblems, fields: readonly FieldSpec[]): string | null {
  const names = fields.map(({ name }) => name);
  const texts = Object.entries(problems).filter(([name]) => !names.includes(name)).map(([, text]) => text);
  return texts.length === 0 ? null : texts.join(" ");
}

/** Returns the field to focus after a refusal: the first refused one, else the first that came back empty. */
function fieldToFocus(
  fields: readonly FieldSpec[],
  values: Readonly<Record<string, string>>,
  problems: FormProblems,
): FieldSpec | undefined {
  if (Object.keys(problems).length === 0) return undefined;
  return fields.find(({ name }) => problems[name] !== undefined) ??
    fields.find(({ name }) => !values[name]) ?? fields[0];
}

/**
 * Returns the hint of a field. Passwords are never sent back, so one that has to be typed again gets a
 * reminder.
 */
function hintFor({ type, hint }: FieldSpec, problems: FormProblems): string | undefined {
  const isLost = type === "password" && Object.keys(problems).length > 0;
  return isLost ? ["Type it again.", hint].filter(Boolean).join(" ") : hint;
}

/** A form field without its value. */
export interface FieldSpec {
  /** Name sent with the form, and id; unique on the page. */
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  /** A token of HTML's `autocomplete`. */
  readonly autocomplete: string;
  readonly hint?: string | undefined;
  readonly maxLength?: number;
  /** Whether the field may be empty. */
  readonly isOptional?: boolean;
}

/** Field for a password that the user chooses. */
export const NEW_PASSWORD: FieldSpec = {
  name: "new_password",
  label: "New password",
  type: "password",
  autocomplete: "new-password",
  hint: "At least 8 characters. Avoid common passwords.",
};

interface FormFieldProps extends FieldSpec {
  readonly defaultValue?: string | undefined;
  /** Reason the value was refused. */
  readonly problem?: string | undefined;
  /** Id of another element that describes this field. */
  readonly describedBy?: string | undefined;
  readonly takesFocus?: boolean;
}

/** Renders a field with its label; a problem replaces the hint, so that the layout stays stable. */
export function FormField({ name, label, hint, problem, describedBy, ...field }: FormFieldProps) {
  const isWrong = problem !== undefined;
  const note = problem ?? hint;
  const noteId = note === undefined ? undefined : `${name}-${isWrong ? "problem" : "hint"}`;
  const isProse = field.type === undefined || field.type === "text";
  return (
    <div class="grid gap-y-1.5">
      <label for={name} class={FIELD_LABEL}>{label}</label>
      <FieldRow id={name} label={label} showText={field.type === "password" ? "Show" : undefined}>
        <input
          id={name}
          name={name}
          type={field.type ?? "text"}
          autoComplete={field.autocomplete}
          autoCapitalize={isProse ? undefined : "none"}
          spellcheck={isProse ? undefined : false}
          defaultValue={field.defaultValue}
          maxLength={field.maxLength}
          required={field.isOptional !== true}
          autofocus={field.takesFocus}
          aria-invalid={isWrong}
          aria-describedby={[noteId, describedBy].filter((id) => id !== undefined).join(" ") || undefined}
          class={TEXT_FIELD}
        />
      </FieldRow>
      {isWrong && <p id={noteId} class={FIELD_PROBLEM} role="alert">{problem}</p>}
      {!isWrong && hint !== undefined && <p id={noteId} class={FIELD_HINT}>{hint}</p>}
    </div>
  );
}

interface FormNoticeProps {
  /** Whether the action succeeded or was refused. */
  readonly kind: "good" | "problem";
  readonly text: string;
  /** Lets fields refer to it with `aria-describedby`. */
  readonly id?: string;
  /** Whether it takes the focus when the page loads, so that screen readers announce it. */
  readonly takesFocus?: boolean;
}

/** Renders the result of a submitted form in one sentence, above the page's content. */
export function FormNotice({ kind, text, id, takesFocus = false }: FormNoticeProps) {
  return (
    <p
      id={id}
      role={kind === "good" ? "status" : "alert"}
      tabIndex={takesFocus ? -1 : undefined}
      autofocus={takesFocus}
      class={`max-w-[60ch] font-medium outline-none ${kind === "good" ? "text-good" : "text-accent"}`}
    >
      {text}
    </p>
  );
}

interface FormPanelProps {
  /** Address the form is sent to; the page's own by default. */
  readonly action?: string;
  /** Hidden fields by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields: readonly FieldSpec[];
  readonly values?: Readonly<Record<string, string>>;
  readonly problems: FormProblems;
  /** Button label, which names the effect. */
  readonly button: string;
  /** Content beside the button. */
  readonly children?: ComponentChildren;
}

/** Renders the main form of a page. */
export function FormPanel({ action, hidden = {}, button, children, ...fields }: FormPanelProps) {
  return (
    <form
      method="post"
      action={action}
      noValidate
      class="mt-8 grid max-w-[30rem] gap-5 rounded-panel border border-rule bg-raised p-5 sm:p-7"
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormFields {...fields} />
      <div class="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <button type="submit" class={`${PRIMARY_BUTTON} grow sm:grow-0`}>{button}</button>
        {children}
      </div>
    </form>
  );
}
