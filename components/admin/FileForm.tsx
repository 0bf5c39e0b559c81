import { PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { FieldFrame, getAriaAttributes } from "./FieldFrame.tsx";
import type { FormState } from "./form_state.ts";
import { FormProblem } from "./FormProblem.tsx";

interface FileFormProps {
  readonly state: FormState;
  /** Name of the field. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Types and endings of the files to choose from. */
  readonly accept: string;
  readonly button: string;
  /** Class names of the button; those of a main action by default. */
  readonly look?: string;
}

/** Renders a form that uploads one file; a problem of it may have several lines. */
export function FileForm({ state, name, label, hint, accept, button, look = PRIMARY_BUTTON }: FileFormProps) {
  const notes = { id: name, hint, problem: state.problem(name) };
  return (
    <form method="post" encType="multipart/form-data" noValidate class="grid max-w-[40rem] gap-4">
      <input type="hidden" name="action" value={state.action} />
      <FormProblem problem={state.problem("form")} />
      <div class="[&_[role=alert]]:whitespace-pre-line">
        <FieldFrame {...notes} label={label}>
          <input
            {...getAriaAttributes(notes)}
            type="file"
            name={name}
            accept={accept}
            class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
          />
        </FieldFrame>
      </div>
      <div>
        <button type="submit" class={look}>{button}</button>
      </div>
    </form>
  );
}
