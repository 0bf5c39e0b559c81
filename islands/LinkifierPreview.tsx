import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { TryOut, type TryOutProps } from "@/components/admin/linkifiers/TryOut.tsx";
import type { LinkifierPreviewView } from "@/lib/admin/linkifier_preview.ts";
import { sendPageAction } from "@/lib/client/page_action.ts";

interface LinkifierPreviewProps extends TryOutProps {
  /** The form whose linkifier is tried. */
  readonly formId: string;
  /** Whether the form says itself what is wrong with it. */
  readonly isRefused: boolean;
  /** What is said when the server cannot be reached. */
  readonly failed: string;
}

/** How long nothing is typed before the server is asked. */
const PAUSE_MS = 150;

/** Shows while one types what a linkifier would do; the server finds it, so it is what messages will show. */
export default function LinkifierPreview(props: LinkifierPreviewProps) {
  const { formId, failed, isRefused, preview: first, ...shown } = props;
  const preview = useSignal(first);
  const failure = useSignal("");
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    return watchTyping(form, async (fields, { isTyped, isLatest }) => {
      const outcome = await sendPageAction(fields, failed);
      // An answer to what stands there no more is of no use.
      if (!isLatest()) return;
      failure.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
      if (!outcome.isDone) return;
      const { preview: answer } = outcome.result;
      const isSaid = isRefused && !isTyped;
      preview.value = isPreview(answer) ? { ...answer, problems: isSaid ? [] : answer.problems } : null;
    });
  }, []);
  return <TryOut {...shown} preview={preview.value} failure={failure.value} />;
}

interface Asking {
  /** Whether something was typed since the page came. */
  readonly isTyped: boolean;
  /** Whether nothing was asked since. */
  readonly isLatest: () => boolean;
}

type Ask = (fields: URLSearchParams, asking: Asking) => Promise<void>;

/** Asks when typing pauses, and at once where the fields are filled otherwise than the server knows; gives what ends it. */
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
  // A refused form holds what was typed, and browsers put back what was in a form that one returns to.
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
