import { FieldRow } from "../FieldRow.tsx";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, TEXT_FIELD } from "@/lib/ui/class_names.ts";

/** A form field without its value. */
export interface FieldSpec {
  /** Name sent with the form, and id; unique on the page. */
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  /** A token of HTML's `autocomplete`. */
  readonly autocomplete: string;
  readonly hint?: string | undefined;
  readonly maxLength?: number;
  /** Whether the field may be empty. */
  readonly isOptional?: boolean;
}

interface FormFieldProps extends FieldSpec {
  readonly defaultValue?: string | undefined;
  /** Reason the value was refused. */
  readonly problem?: string | undefined;
  /** Id of another element that describes this field. */
  readonly describedBy?: string | undefined;
  readonly takesFocus?: boolean;
}

/** Renders a field with its label; a problem replaces the hint, so that the layout stays stable. */
export function FormField({ name, label, hint, problem, describedBy, ...field }: FormFieldProps) {
  const isWrong = problem !== undefined;
  const note = problem ?? hint;
  const noteId = note === undefined ? undefined : `${name}-${isWrong ? "problem" : "hint"}`;
  const isProse = field.type === undefined || field.type === "text";
  return (
    <div class="grid gap-y-1.5">
      <label for={name} class={FIELD_LABEL}>{label}</label>
      <FieldRow id={name} label={label} showText={field.type === "password" ? "Show" : undefined}>
        <input
          id={name}
          name={name}
          type={field.type ?? "text"}
          autoComplete={field.autocomplete}
          autoCapitalize={isProse ? undefined : "none"}
          spellcheck={isProse ? undefined : false}
          defaultValue={field.defaultValue}
          maxLength={field.maxLength}
          required={field.isOptional !== true}
          autofocus={field.takesFocus}
          aria-invalid={isWrong}
          aria-describedby={[noteId, describedBy].filter((id) => id !== undefined).join(" ") || undefined}
          class={TEXT_FIELD}
        />
      </FieldRow>
      {isWrong && <p id={noteId} class={FIELD_PROBLEM} role="alert">{problem}</p>}
      {!isWrong && hint !== undefined && <p id={noteId} class={FIELD_HINT}>{hint}</p>}
    </div>
  );
}
