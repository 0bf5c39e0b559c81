import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { contentOf, drawnContentOf } from "@/components/admin/profile_fields/form_content.ts";

interface FormGuardProps {
  readonly formId: string;
  /** Whether the form was drawn with changes that are not stored. */
  readonly isChanged: boolean;
  /** What is said while there is nothing to save and the button is off; empty leaves the button on. */
  readonly nothing: string;
}

/** Keeps a form from being sent while nothing in it is changed, and from being left while something is. */
export default function FormGuard({ formId, isChanged, nothing }: FormGuardProps) {
  const isClean = useSignal(false);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const ended = new AbortController();
    const { signal } = ended;
    const drawn = isChanged ? null : drawnContentOf(form);
    let isSent = false;
    const look = () => {
      isClean.value = contentOf(form) === drawn;
      if (nothing === "") return;
      const buttons = form.querySelectorAll<HTMLButtonElement>("button[type=submit]:not([name])");
      for (const button of buttons) button.disabled = isClean.value;
    };
    look();
    form.addEventListener("input", look, { signal });
    form.addEventListener("change", look, { signal });
    form.addEventListener("submit", () => isSent = true, { signal });
    // A page that comes back from the browser's memory can be changed again.
    addEventListener("pageshow", () => isSent = false, { signal });
    addEventListener("beforeunload", (event) => {
      if (!isClean.value && !isSent) event.preventDefault();
    }, { signal });
    return () => ended.abort();
  }, []);
  return <span class="text-small text-soft">{isClean.value ? nothing : ""}</span>;
}
