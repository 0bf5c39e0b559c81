import type { ComponentChildren } from "preact";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { FieldSpec } from "./FormField.tsx";
import { FormFields, type FormProblems } from "./FormFields.tsx";

interface FormPanelProps {
  /** Where the form is sent; left out, to the address of the page. */
  readonly action?: string;
  /** What is sent along unseen, by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields: readonly FieldSpec[];
  readonly values?: Readonly<Record<string, string>>;
  readonly problems: FormProblems;
  /** What the button says: what happens. */
  readonly button: string;
  /** What stands beside the button. */
  readonly children?: ComponentChildren;
}

/** The one form that a page is for. */
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
