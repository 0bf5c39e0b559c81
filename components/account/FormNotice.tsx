interface FormNoticeProps {
  /** Whether something was done, or could not be done. */
  readonly kind: "good" | "problem";
  readonly text: string;
  /** For the fields that it describes. */
  readonly id?: string;
  /** Whether it takes the focus on a page that was loaded to show it, so that it is read aloud. */
  readonly takesFocus?: boolean;
}

/** What became of a form that was sent, in one sentence above everything else. */
export function FormNotice({ kind, text, id, takesFocus = false }: FormNoticeProps) {
  return (
    <p
      id={id}
      role={kind === "good" ? "status" : "alert"}
      tabIndex={takesFocus ? -1 : undefined}
      autofocus={takesFocus}
      class={`max-w-[60ch] font-medium outline-none ${kind === "good" ? "text-good" : "text-accent"}`}
    >
      {text}
    </p>
  );
}
