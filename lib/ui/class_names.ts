const CONTROL = "min-h-11 rounded-control border";
const BUTTON = `${CONTROL} inline-flex items-center justify-center px-4 font-strong cursor-pointer`;

/** The page's main action. */
export const PRIMARY_BUTTON = `${BUTTON} border-transparent bg-ink text-paper aria-disabled:opacity-70`;
/** A destructive action. */
export const DANGER_BUTTON = `${BUTTON} border-transparent bg-accent text-paper aria-disabled:opacity-70`;
/** A secondary action. */
export const QUIET_BUTTON = `${BUTTON} border-edge bg-transparent text-ink text-small hover:border-ink`;
/** A single-line text field. */
export const TEXT_FIELD =
  `${CONTROL} w-full min-w-0 border-edge bg-paper px-3 py-2 text-ink aria-invalid:border-accent placeholder:text-soft disabled:cursor-not-allowed disabled:border-rule disabled:bg-transparent disabled:text-soft disabled:opacity-100`;
/** Label of a field. */
export const FIELD_LABEL = "block text-small font-strong";
/** The line below a field: a hint or a problem. */
export const FIELD_HINT = "text-small text-soft";
/** Problem of a field. */
export const FIELD_PROBLEM = "text-small font-medium text-accent";
/** A dialog above the page; its width is set separately. */
export const DIALOG =
  "m-auto max-h-[85dvh] w-[calc(100%-2rem)] rounded-panel border border-rule bg-raised p-5 text-ink shadow-[0_1rem_3rem_rgb(0_0_0/0.2)] backdrop:bg-[rgb(0_0_0/0.4)] sm:p-6";
/** An action as underlined text. */
export const WORD_BUTTON = "link inline-flex min-h-11 items-center text-small font-medium cursor-pointer";
/** A link to another page of the same subject; the current one is underlined, in forced colors too. */
export const TAB =
  "-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-ink forced-colors:not-aria-[current=page]:mb-0 forced-colors:not-aria-[current=page]:border-[Canvas]";
/** A bar with the outcome of an action, at the bottom of the screen. */
export const STATUS_BAR = "status-bar";
