import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

interface SaveWhenChangedProps {
  readonly formId: string;
  /** Whether the form was rendered with unsaved changes. */
  readonly isChanged: boolean;
  /** Message while there is nothing to save and the button is disabled. */
  readonly nothing: string;
}

/** Disables a form's button while nothing has changed, added, removed and moved rows included. */
export default function SaveWhenChanged({ formId, isChanged, nothing }: SaveWhenChangedProps) {
  const isClean = useSignal(false);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const ended = new AbortController();
    const drawn = isChanged ? null : serializeForm(toDrawn(form));
    const look = () => {
      isClean.value = serializeForm(form) === drawn;
      // The page warns before such a form is left.
      form.dataset["guard"] = isClean.value ? "" : "changed";
      const buttons = form.querySelectorAll<HTMLButtonElement>("button[type=submit]:not([name])");
      for (const button of buttons) button.disabled = isClean.value;
    };
    look();
    form.addEventListener("input", look, { signal: ended.signal });
    form.addEventListener("change", look, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return <span class="text-small text-soft">{isClean.value ? nothing : ""}</span>;
}

/** Returns everything that a form would send now, as one string. */
function serializeForm(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === "string"));
}

/** Returns the form with the server's values, without those that the browser restored. */
function toDrawn(form: HTMLFormElement): HTMLFormElement {
  const template = document.createElement("template");
  template.innerHTML = form.outerHTML;
  const drawn = template.content.firstElementChild;
  return drawn instanceof HTMLFormElement ? drawn : form;
}
