import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  LinkifierTester,
  type LinkifierTesterProps,
  PROBLEMS_ID,
} from "@/components/admin/linkifiers/LinkifierTester.tsx";
import type { LinkifierPreviewView } from "@/lib/admin/pages/linkifiers/linkifier_preview.ts";
import { sendPageAction } from "@/lib/client/page_action.ts";

interface LinkifierPreviewProps extends LinkifierTesterProps {
  /** Form of the previewed linkifier. */
  readonly formId: string;
  /** Whether the form itself shows its problems. */
  readonly isRefused: boolean;
  /** Message when the server cannot be reached. */
  readonly failed: string;
}

/** Pause in typing before the server is asked, in milliseconds. */
const PAUSE_MS = 150;

/** Previews a linkifier while typing; the server computes it, so messages will show the same. */
export default function LinkifierPreview(props: LinkifierPreviewProps) {
  const { formId, failed, isRefused, preview: first, ...shown } = props;
  const preview = useSignal(first);
  const failure = useSignal("");
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    return watchTyping(form, async (fields, { isTyped, isLatest }) => {
      const outcome = await sendPageAction(fields, failed);
      // A response to an outdated form is dropped.
      if (!isLatest()) return;
      failure.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
      if (!outcome.isDone) return;
      const { preview: answer } = outcome.result;
      if (isPreview(answer)) markInvalid(form, answer.invalidFields);
      const isShown = isRefused && !isTyped;
      preview.value = isPreview(answer) ? { ...answer, problems: isShown ? [] : answer.problems } : null;
    });
  }, []);
  return <LinkifierTester {...shown} preview={preview.value} failure={failure.value} />;
}

interface Asking {
  /** Whether anything was typed since the page loaded. */
  readonly isTyped: boolean;
  /** Whether no newer request was sent. */
  readonly isLatest: () => boolean;
}

type Ask = (fields: URLSearchParams, asking: Asking) => Promise<void>;

/**
 * Asks after a pause in typing, and at once where the form differs from what the server rendered; returns a
 * function that stops it.
 */
function watchTyping(form: HTMLFormElement, ask: Ask): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const send = (isTyped: boolean) => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) fields.append(name, String(value));
    fields.set("action", "preview");
    const mine = ++asked;
    void ask(fields, { isTyped, isLatest: () => mine === asked });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(send, PAUSE_MS, true);
  };
  form.addEventListener("input", later);
  // A refused form keeps its values, and browsers restore those of a form that the user returns to.
  if (new FormData(form).get("pattern") !== "") send(false);
  return () => {
    clearTimeout(timer);
    asked++;
    form.removeEventListener("input", later);
  };
}

function isPreview(value: unknown): value is LinkifierPreviewView {
  return typeof value === "object" && value !== null && "pieces" in value && "found" in value;
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
