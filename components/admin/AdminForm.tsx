import type { ComponentChildren } from "preact";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { FormState } from "./form_state.ts";

interface AdminFormProps {
  readonly state: FormState;
  /** What the button says will happen. */
  readonly button: string;
  /** Where the form is sent; the page itself without one. */
  readonly to?: string;
  readonly id?: string;
  /** Fields that nobody sees. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** What stands beside the button. */
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A form of an admin page: what is wrong as a whole, the fields, and the button. */
export function AdminForm({ state, button, to, id, hidden = {}, beside, children }: AdminFormProps) {
  const general = state.problems["form"];
  const isRefused = Object.keys(state.problems).length > 0;
  return (
    <form
      method="post"
      action={to}
      id={id}
      noValidate
      class="grid gap-4"
      data-guard={isRefused ? "changed" : ""}
    >
      <input type="hidden" name="action" value={state.action} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {general !== undefined && (
        <p role="alert" tabIndex={-1} autofocus class="rounded-control bg-wash px-4 py-2.5 text-accent">
          {general}
        </p>
      )}
      {children}
      <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button type="submit" class={PRIMARY_BUTTON}>{button}</button>
        {beside}
      </div>
    </form>
  );
}
