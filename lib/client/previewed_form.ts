import { type ActionOutcome, sendPageAction } from "./page_action.ts";

/** Pause after a change before the server is asked, in milliseconds. */
const PAUSE_MS = 200;

interface Preview {
  /** Message when the server cannot be reached. */
  readonly failed: string;
  /** Whether the form is previewed as it is when the page has loaded. */
  readonly isImmediate?: boolean;
  /** Called at each change, with whether the form differs from its first state; returns whether to ask for a preview. */
  readonly begin?: (isChanged: boolean) => boolean;
  /** Shows a response; `isTyped` is whether anything was changed since the page loaded. */
  readonly show: (outcome: ActionOutcome, isTyped: boolean) => void;
}

/**
 * Sends a form to its action `preview` after each pause in its changes, and when its button for it is pressed; returns a
 * function that stops it. Responses to an outdated form are dropped.
 */
export function watchPreviewedForm(
  form: Element | null | undefined,
  { failed, isImmediate = false, begin = () => true, show }: Preview,
): (() => void) | undefined {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const ended = new AbortController();
  const { signal } = ended;
  const first = String(fieldsOf(form));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const send = async (isTyped: boolean) => {
    const mine = ++asked;
    const outcome = await sendPageAction(fieldsOf(form), failed);
    if (mine === asked) show(outcome, isTyped);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    asked++;
    if (begin(String(fieldsOf(form)) !== first)) timer = setTimeout(send, PAUSE_MS, true);
  }, { signal });
  form.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement)) return;
    // Neither saves the form, so listeners for saving must not see the event.
    if (submitter.value === "preview" || submitter.value === "impact_csv") event.stopPropagation();
    if (submitter.value !== "preview") return;
    event.preventDefault();
    begin(true);
    void send(true);
  }, { signal, capture: true });
  if (isImmediate) void send(false);
  return () => {
    ended.abort();
    clearTimeout(timer);
    asked++;
  };
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  fields.set("action", "preview");
  return fields;
}
