import type { ComponentChildren } from "preact";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";

/** Lines below a field; they describe the control with the id. */
interface FieldNotes {
  readonly id: string;
  readonly hint?: ComponentChildren;
  readonly problem: string | undefined;
}

/** Renders a field: label, control, and the problem and hint below it. */
export function FieldFrame(
  { label, children, ...notes }: FieldNotes & {
    readonly label: string;
    readonly children: ComponentChildren;
  },
) {
  return (
    <div class="grid grid-cols-1 content-start gap-y-1.5">
      <label for={notes.id} class={FIELD_LABEL}>{label}</label>
      {children}
      <FieldNoteLines {...notes} />
    </div>
  );
}

/** Renders the problem and the hint of a field. */
export function FieldNoteLines({ id, hint, problem }: FieldNotes) {
  return (
    <>
      {problem !== undefined && <p id={`${id}-problem`} role="alert" class={FIELD_PROBLEM}>{problem}</p>}
      {hint !== undefined && <p id={`${id}-hint`} class={FIELD_HINT}>{hint}</p>}
    </>
  );
}

/** Returns the attributes that connect a control with its problem and its hint. */
export function getAriaAttributes({ id, hint, problem }: FieldNotes) {
  const described = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return { id, "aria-invalid": problem !== undefined, "aria-describedby": described.join(" ") || undefined };
}
