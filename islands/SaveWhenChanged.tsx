import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { contentOf, drawnContentOf } from "@/components/admin/profile_fields/form_content.ts";

interface SaveWhenChangedProps {
  readonly formId: string;
  /** Whether the form was drawn with changes that are not stored. */
  readonly isChanged: boolean;
  /** What is said while there is nothing to save and the button is off; empty leaves the button on. */
  readonly nothing: string;
}

/** Turns a form's button off while nothing is changed, rows that came, went or moved counted. */
export default function SaveWhenChanged({ formId, isChanged, nothing }: SaveWhenChangedProps) {
  const isClean = useSignal(false);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const ended = new AbortController();
    const drawn = isChanged ? null : drawnContentOf(form);
    const look = () => {
      isClean.value = contentOf(form) === drawn;
      // The page asks before such a form is left.
      form.dataset["guard"] = isClean.value ? "" : "changed";
      if (nothing === "") return;
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
