import type { ComponentChildren } from "preact";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { FieldSpec } from "./FormField.tsx";
import { FormFields, type FormProblems } from "./FormFields.tsx";

interface AccountFormProps {
  /** Action that the form performs; sent as `action`. */
  readonly action: string;
  readonly fields: readonly FieldSpec[];
  readonly values?: Readonly<Record<string, string>>;
  /** Problems of all forms on the page; those of other forms are ignored. */
  readonly problems: FormProblems;
  /** Button label, which names the effect. */
  readonly button: string;
  /** Content besides the fields. */
  readonly children?: ComponentChildren;
}

/** Renders one form of the account page. */
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
