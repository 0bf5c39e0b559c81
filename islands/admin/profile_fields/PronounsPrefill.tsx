import { useEffect } from "preact/hooks";

interface PronounsPrefillProps {
  readonly formId: string;
  /** Field type whose inputs are filled in. */
  readonly type: string;
  readonly name: string;
  readonly hint: string;
}

/**
 * Fills in the label and hint when pronouns are chosen, and clears them for another type; keeps typed text.
 */
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
      // Reloading the page keeps the type.
      history.replaceState(history.state, "", `?type=${target.value}`);
      form.dispatchEvent(new Event("input"));
    }, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return null;
}
