import type { ComponentChildren } from "preact";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { FieldSpec } from "./FormField.tsx";
import { FormFields, type FormProblems } from "./FormFields.tsx";

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
