import type { ComponentChildren } from "preact";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { DRAFT_FIELD } from "./choice_rows.ts";

interface DraftButtonProps {
  /** What the form is drawn anew with, without script. */
  readonly draft: string;
  /** Does the same in place. */
  readonly act: () => void;
  readonly id?: string;
  /** What it says in full, for those who hear it alone. */
  readonly label?: string;
  readonly isOff?: boolean;
  readonly children: ComponentChildren;
}

/** A word in a form that changes what stands there and saves nothing. */
export function DraftButton({ draft, act, id, label, isOff = false, children }: DraftButtonProps) {
  return (
    <button
      type="submit"
      id={id}
      name={DRAFT_FIELD}
      value={draft}
      formAction="#choices"
      disabled={isOff}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        act();
      }}
      class={`${WORD_BUTTON} disabled:cursor-default disabled:opacity-50`}
    >
      {children}
    </button>
  );
}
