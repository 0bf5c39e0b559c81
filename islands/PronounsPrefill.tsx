import { useEffect } from "preact/hooks";

interface PronounsPrefillProps {
  readonly formId: string;
  /** The type whose fields are filled in. */
  readonly type: string;
  readonly name: string;
  readonly hint: string;
}

/** Fills in the label and the hint when pronouns are chosen, and empties them again when they are not; typed text stays. */
export default function PronounsPrefill({ formId, type, name, hint }: PronounsPrefillProps) {
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const ended = new AbortController();
    form.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.name !== "field_type") return;
      const isChosen = target.value === type;
      for (const [field, text] of [["name", name], ["hint", hint]] as const) {
        const control = form.elements.namedItem(field);
        if (!(control instanceof HTMLInputElement)) continue;
        if (control.value === (isChosen ? "" : text)) control.value = isChosen ? text : "";
      }
      // Loading the page again begins with the same type.
      history.replaceState(history.state, "", `?type=${target.value}`);
      form.dispatchEvent(new Event("input"));
    }, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return null;
}
