import type { ComponentChildren } from "preact";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { FormState } from "./form_state.ts";
import { FormProblem } from "./FormProblem.tsx";

export interface AdminFormProps {
  readonly state: FormState;
  /** Button label, which names the effect. */
  readonly button: string;
  /** Class names of the button; those of a main action by default. */
  readonly look?: string;
  /** Address the form is sent to; the page's own by default. */
  readonly to?: string;
  readonly id?: string;
  /** Whether it has a field for a file, which browsers empty after a refusal. */
  readonly takesFile?: boolean;
  /** Hidden fields by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Content beside the button. */
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Renders a form of an admin page: general problem, fields and button. */
export function AdminForm(
  { state, button, look = PRIMARY_BUTTON, to, id, takesFile, hidden = {}, beside, children }: AdminFormProps,
) {
  const isRefused = Object.keys(state.problems).length > 0;
  return (
    <form
      method="post"
      action={to}
      id={id}
      encType={takesFile ? "multipart/form-data" : undefined}
      noValidate
      class="grid gap-4"
      data-guard={isRefused && !takesFile ? "changed" : ""}
    >
      <input type="hidden" name="action" value={state.action} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormProblem problem={state.problem("form")} />
      {children}
      <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button type="submit" class={look}>{button}</button>
        {beside}
      </div>
    </form>
  );
}
