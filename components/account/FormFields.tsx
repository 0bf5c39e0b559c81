import { type FieldSpec, FormField } from "./FormField.tsx";
import { FormNotice } from "./FormNotice.tsx";

/** Reasons a form was refused: one sentence per field name; other names hold problems of no single field. */
export type FormProblems = Readonly<Record<string, string>>;

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
