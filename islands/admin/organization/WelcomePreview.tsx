import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sendPageAction } from "@/lib/client/page_action.ts";

const PAUSE_MS = 350;
const LOOK =
  "min-w-0 break-words rounded-control border border-rule bg-raised px-4 py-3 [&_a]:underline [&_blockquote]:border-s-2 [&_blockquote]:border-rule [&_blockquote]:ps-3 [&_blockquote]:text-soft [&_code]:font-mono [&_code]:text-small [&_.katex-html]:hidden [&_h1]:text-h2 [&_h2]:text-lede [&_img]:inline-block [&_img.emoji]:size-5 [&_li]:my-0.5 [&_ol]:list-decimal [&_ol]:ps-6 [&_p]:my-1.5 [&_pre]:overflow-x-auto [&_strong]:font-strong [&_table]:my-2 [&_td]:border [&_td]:border-rule [&_td]:px-2 [&_th]:border [&_th]:border-rule [&_th]:px-2 [&_ul]:list-disc [&_ul]:ps-6";

interface WelcomePreviewProps {
  /** Id of the field with the text; a button `data-preview` of its form requests the preview. */
  readonly fieldId: string;
  /** The text as the server rendered it; null before the first request. */
  readonly html: string | null;
  readonly title: string;
  /** Message for an empty text. */
  readonly empty: string;
  /** Message when the server cannot be reached. */
  readonly failed: string;
}

/** Previews a Markdown text, rendered by the server; follows typing once it was requested. */
export default function WelcomePreview({ fieldId, html, title, empty, failed }: WelcomePreviewProps) {
  const shown = useSignal(html);
  const problem = useSignal("");
  useEffect(() => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLTextAreaElement)) return;
    let asked = 0;
    return watchPreview(field, () => shown.value !== null, async () => {
      const mine = ++asked;
      const fields = new URLSearchParams({ action: "preview", [field.name]: field.value });
      const outcome = await sendPageAction(fields, failed);
      // A response to an older text is dropped.
      if (mine !== asked) return;
      problem.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
      if (outcome.isDone) shown.value = String(outcome.result["html"] ?? "");
    });
  }, []);
  return (
    <div aria-live="polite" class="empty:hidden">
      {problem.value !== "" && <p class="text-small font-medium text-accent">{problem.value}</p>}
      {shown.value !== null && (
        <div role="region" aria-label={title} class="grid gap-1.5">
          <p class="text-small font-strong">{title}</p>
          {shown.value === ""
            ? <p class="text-soft">{empty}</p>
            // deno-lint-ignore react-no-danger
            : <div dir="auto" class={LOOK} dangerouslySetInnerHTML={{ __html: shown.value }} />}
        </div>
      )}
    </div>
  );
}

/**
 * Asks when the button is pressed and, while `isOpen`, after each pause in typing; returns a function that
 * stops it.
 */
function watchPreview(field: HTMLTextAreaElement, isOpen: () => boolean, ask: () => void): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    if (isOpen()) timer = setTimeout(ask, PAUSE_MS);
  }, { signal: ended.signal });
  field.form?.addEventListener("submit", (event) => {
    const isAsking = event.submitter instanceof HTMLElement && event.submitter.hasAttribute("data-preview");
    if (!isAsking) return;
    event.preventDefault();
    // Nothing was saved, so listeners for saving must not see this event.
    event.stopPropagation();
    ask();
  }, { signal: ended.signal });
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}
