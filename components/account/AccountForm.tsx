import type { ComponentChildren } from "preact";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { FieldSpec } from "./FormField.tsx";
import { FormFields, type FormProblems } from "./FormFields.tsx";

interface AccountFormProps {
  /** Which of the account's changes is asked for; sent as `action`. */
  readonly action: string;
  readonly fields: readonly FieldSpec[];
  readonly values?: Readonly<Record<string, string>>;
  /** The problems of the whole page; those of other forms are left to them. */
  readonly problems: FormProblems;
  /** What the button says: what happens. */
  readonly button: string;
  /** What is sent or shown besides the fields. */
  readonly children?: ComponentChildren;
}

/** One of the forms of the account page. */
export function AccountForm({ action, fields, values = {}, problems, button, children }: AccountFormProps) {
  const names = fields.map(({ name }) => name);
  const own = Object.fromEntries(Object.entries(problems).filter(([name]) => names.includes(name)));
  return (
    <form method="post" action="/account" noValidate class="grid gap-5">
      {children}
      <FormFields fields={fields} values={values} problems={own} />
      <div>
        <button type="submit" name="action" value={action} class={QUIET_BUTTON}>{button}</button>
      </div>
    </form>
  );
}
