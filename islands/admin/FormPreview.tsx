import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { watchPreviewedForm } from "@/lib/client/previewed_form.ts";

interface FormPreviewProps {
  readonly formId: string;
  /** Message when the server cannot be reached; an empty one leaves the preview as it is. */
  readonly failed: string;
  /** Field that the preview needs; while it is filled in, the form is previewed as it is when the page has loaded. */
  readonly needed?: string;
  /** Id of the element that is empty until a button asks for the first preview; without it, typing asks. */
  readonly shownIn?: string;
  /** Whether the form itself shows the problems of its first state. */
  readonly isRefused?: boolean;
}

/**
 * Previews a form while it is edited. The server renders the preview: its elements replace the content of those with the
 * same ids. Fields that `data-invalid` names are marked.
 */
export default function FormPreview(
  { formId, failed, needed, shownIn, isRefused = false }: FormPreviewProps,
) {
  const failure = useSignal("");
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    return watchPreviewedForm(form, {
      failed,
      // A refused form keeps its values, and browsers restore those of a form that the user returns to.
      isImmediate: needed !== undefined && new FormData(form).get(needed) !== "",
      begin: () => shownIn === undefined || document.getElementById(shownIn)?.firstChild !== null,
      show: (outcome, isTyped) => {
        failure.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
        if (!outcome.isDone) return;
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
