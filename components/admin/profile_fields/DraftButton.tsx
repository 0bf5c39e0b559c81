import type { ComponentChildren } from "preact";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { DRAFT_FIELD } from "./choice_rows.ts";

interface DraftButtonProps {
  /** Draft action sent without JavaScript; the server renders the form again. */
  readonly draft: string;
  /** Performs the same action in the browser. */
  readonly act: () => void;
  readonly id?: string;
  /** Full label, for screen readers. */
  readonly label?: string;
  readonly isOff?: boolean;
  readonly children: ComponentChildren;
}

/** Renders a button that changes the form's content and saves nothing. */
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
