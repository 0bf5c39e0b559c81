import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  LinkifierTester,
  type LinkifierTesterProps,
  PROBLEMS_ID,
} from "@/components/admin/linkifiers/LinkifierTester.tsx";
import type { LinkifierPreviewView } from "@/lib/admin/pages/linkifiers/linkifier_preview.ts";
import { watchPreviewedForm } from "@/lib/client/previewed_form.ts";

interface LinkifierPreviewProps extends LinkifierTesterProps {
  /** Form of the previewed linkifier. */
  readonly formId: string;
  /** Whether the form itself shows its problems. */
  readonly isRefused: boolean;
  /** Message when the server cannot be reached. */
  readonly failed: string;
}

/** Previews a linkifier while typing; the server computes it, so messages will show the same. */
export default function LinkifierPreview(props: LinkifierPreviewProps) {
  const { formId, failed, isRefused, preview: first, ...shown } = props;
  const preview = useSignal(first);
  const failure = useSignal("");
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    return watchPreviewedForm(form, {
      failed,
      // A refused form keeps its values, and browsers restore those of a form that the user returns to.
      isImmediate: new FormData(form).get("pattern") !== "",
      show: (outcome, isTyped) => {
        failure.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
        if (!outcome.isDone) return;
        const { preview: shown } = outcome.result;
        if (isPreview(shown)) markInvalid(form, shown.invalidFields);
        const problems = isRefused && !isTyped ? { problems: [] } : {};
        preview.value = isPreview(shown) ? { ...shown, ...problems } : null;
      },
    });
  }, []);
  return <LinkifierTester {...shown} preview={preview.value} failure={failure.value} />;
}

function isPreview(value: unknown): value is LinkifierPreviewView {
  return typeof value === "object" && value !== null && "problems" in value && "invalidFields" in value;
}

/** Marks the fields with problems, and refers them to the sentences of the preview. */
function markInvalid(form: HTMLFormElement, names: readonly string[]): void {
  for (const name of ["pattern", "url_template", "example_input", "reverse_template"]) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLElement)) continue;
    field.setAttribute("aria-invalid", String(names.includes(name)));
    const notes = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) =>
      id !== PROBLEMS_ID
    );
    const described = names.includes(name) ? [PROBLEMS_ID, ...notes] : notes;
    field.setAttribute("aria-describedby", described.join(" ").trim());
  }
}
