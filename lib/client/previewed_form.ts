/** Pause after a change before the server is asked, in milliseconds. */
const PAUSE_MS = 300;

/** Asks for a preview of the fields; `isLatest` says whether no newer change followed. */
type Ask = (fields: URLSearchParams, isLatest: () => boolean) => Promise<void>;

/**
 * Asks for a preview of a form after a pause in its changes, and when its button for it is pressed; returns a
 * function that stops it. `begin` is called at each change, with whether the form differs from its first state.
 */
export function watchPreviewedForm(
  form: HTMLFormElement,
  begin: (isChanged: boolean) => void,
  ask: Ask,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const first = String(fieldsOf(form));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const send = () => {
    const mine = ++asked;
    void ask(fieldsOf(form), () => mine === asked);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    asked++;
    const isChanged = String(fieldsOf(form)) !== first;
    begin(isChanged);
    if (isChanged) timer = setTimeout(send, PAUSE_MS);
  }, { signal });
  form.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement)) return;
    // Neither saves the form, so listeners for saving must not see the event.
    if (submitter.value === "preview" || submitter.value === "impact_csv") event.stopPropagation();
    if (submitter.value !== "preview") return;
    event.preventDefault();
    begin(true);
    send();
  }, { signal, capture: true });
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
