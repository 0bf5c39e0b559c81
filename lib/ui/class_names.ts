const CONTROL = "min-h-11 rounded-control border";
const BUTTON = `${CONTROL} inline-flex items-center justify-center px-4 font-strong cursor-pointer`;

/** The one thing that a page is for. */
export const PRIMARY_BUTTON = `${BUTTON} border-transparent bg-ink text-paper aria-disabled:opacity-70`;
/** What can be done besides. */
export const QUIET_BUTTON = `${BUTTON} border-edge bg-transparent text-ink text-small hover:border-ink`;
/** A line of text to fill in. */
export const TEXT_FIELD =
  `${CONTROL} w-full min-w-0 border-edge bg-paper px-3 py-2 text-ink aria-invalid:border-accent placeholder:text-soft disabled:cursor-not-allowed disabled:border-rule disabled:bg-transparent disabled:text-soft disabled:opacity-100`;
/** What a field is called. */
export const FIELD_LABEL = "block text-small font-strong";
/** The line below a field: a hint, or what is wrong. */
export const FIELD_HINT = "text-small text-soft";
/** What is wrong with a field. */
export const FIELD_PROBLEM = "text-small font-medium text-accent";
/** What floats above the page until it is closed; its width is its own. */
export const DIALOG =
  "m-auto max-h-[85dvh] w-[calc(100%-2rem)] rounded-panel border border-rule bg-raised p-5 text-ink shadow-[0_1rem_3rem_rgb(0_0_0/0.2)] backdrop:bg-[rgb(0_0_0/0.4)] sm:p-6";
/** An action as an underlined word. */
export const WORD_BUTTON = "link inline-flex min-h-11 items-center text-small font-medium cursor-pointer";
