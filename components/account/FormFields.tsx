import { type FieldSpec, FormField } from "./FormField.tsx";
import { FormNotice } from "./FormNotice.tsx";

/** Why a form was refused: a sentence a field, by the field's name; other names are for what belongs to no field. */
export type FormProblems = Readonly<Record<string, string>>;

/** Once on a page. */
const PROBLEM_ID = "form-problem";

interface FormFieldsProps {
  readonly fields: readonly FieldSpec[];
  /** What was typed, by the field's name. */
  readonly values?: Readonly<Record<string, string>>;
  readonly problems: FormProblems;
}

/** The fields of a form in one column, and above them what is wrong with no field in particular. */
export function FormFields({ fields, values = {}, problems }: FormFieldsProps) {
  const general = problemOfNoField(problems, fields);
  const focused = fieldToMend(fields, values, problems);
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

/** The problems that belong to none of the fields, as one text, or null. */
export function problemOfNoField(problems: FormProblems, fields: readonly FieldSpec[]): string | null {
  const names = fields.map(({ name }) => name);
  const texts = Object.entries(problems).filter(([name]) => !names.includes(name)).map(([, text]) => text);
  return texts.length === 0 ? null : texts.join(" ");
}

/** Where one goes on after a refusal: the first refused field, else the first that came back empty. */
function fieldToMend(
  fields: readonly FieldSpec[],
  values: Readonly<Record<string, string>>,
  problems: FormProblems,
): FieldSpec | undefined {
  if (Object.keys(problems).length === 0) return undefined;
  return fields.find(({ name }) => problems[name] !== undefined) ??
    fields.find(({ name }) => !values[name]) ?? fields[0];
}

/** A password is never sent back: where another field is to be mended, it is easily overlooked. */
function hintFor({ type, hint }: FieldSpec, problems: FormProblems): string | undefined {
  const isLost = type === "password" && Object.keys(problems).length > 0;
  return isLost ? ["Type it again.", hint].filter(Boolean).join(" ") : hint;
}
