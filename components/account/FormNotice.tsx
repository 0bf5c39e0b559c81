interface FormNoticeProps {
  /** Whether the action succeeded or was refused. */
  readonly kind: "good" | "problem";
  readonly text: string;
  /** Lets fields refer to it with `aria-describedby`. */
  readonly id?: string;
  /** Whether it takes the focus when the page loads, so that screen readers announce it. */
  readonly takesFocus?: boolean;
}

/** Renders the result of a submitted form in one sentence, above the page's content. */
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
