import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { watchPreviewedForm } from "@/lib/client/previewed_form.ts";

interface FormPreviewProps {
  readonly formId?: string;
  /** Message when the server cannot be reached; without one, the preview stays as it is. */
  readonly failed?: string;
  /** Field that the preview needs; while it is filled in, the form is previewed as it is when the page has loaded. */
  readonly needed?: string;
  /**
   * Id of the element that is empty until a button asks for the first preview; without it, typing asks. Its form is the
   * one that is previewed, if no other is named.
   */
  readonly shownIn?: string;
  /** Shown there in place of a preview of other values while the server is asked, as each change of them does. */
  readonly pending?: string;
  /** Whether the form itself shows the problems of its first state. */
  readonly isRefused?: boolean;
}

/**
 * Previews a form while it is edited. The server renders the preview: its elements replace the content of those with the
 * same ids. Fields that `data-invalid` names are marked.
 */
export default function FormPreview(
  { formId, failed = "", needed, shownIn, pending, isRefused = false }: FormPreviewProps,
) {
  const failure = useSignal("");
  useEffect(() => {
    const shown = shownIn === undefined ? null : document.getElementById(shownIn);
    const form = formId === undefined ? shown?.closest("form") : document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    return watchPreviewedForm(form, {
      failed,
      // A refused form keeps its values, and browsers restore those of a form that the user returns to.
      isImmediate: needed !== undefined && new FormData(form).get(needed) !== "",
      begin: (isChanged) => {
        if (pending === undefined) return shown === null || shown.firstChild !== null;
        shown?.replaceChildren(isChanged ? toNote(pending) : "");
        return isChanged;
      },
      show: (outcome, isTyped) => {
        failure.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
        if (!outcome.isDone) {
          // Incomplete input is explained when it is saved.
          if (pending !== undefined) shown?.replaceChildren();
          return;
        }
        const template = document.createElement("template");
        template.innerHTML = String(outcome.result["html"] ?? "");
        const problems = template.content.querySelector<HTMLElement>("[data-invalid]");
        if (problems !== null) markInvalid(form, problems);
        if (isRefused && !isTyped) problems?.replaceChildren();
        for (const part of template.content.children) {
          document.getElementById(part.id)?.replaceChildren(...part.childNodes);
        }
      },
    });
  }, []);
  if (failed === "") return null;
  return <p role="alert" class="text-small font-medium text-accent empty:hidden">{failure.value}</p>;
}

function toNote(text: string): HTMLElement {
  const note = document.createElement("p");
  note.className = "text-small text-soft";
  note.textContent = text;
  return note;
}

/** Marks the fields with problems, and refers them to the sentences about these. */
function markInvalid(form: HTMLElement, { id, dataset }: HTMLElement): void {
  const invalid = (dataset["invalid"] ?? "").split(" ");
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    const isInvalid = invalid.includes(field.getAttribute("name") ?? "");
    const notes = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((note) => note !== id);
    field.setAttribute("aria-invalid", String(isInvalid));
    field.setAttribute("aria-describedby", [...(isInvalid ? [id] : []), ...notes].join(" ").trim());
  }
}
