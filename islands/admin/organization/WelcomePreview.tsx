import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { watchPreviewedForm } from "@/lib/client/previewed_form.ts";

const LOOK =
  "min-w-0 break-words rounded-control border border-rule bg-raised px-4 py-3 [&_a]:underline [&_blockquote]:border-s-2 [&_blockquote]:border-rule [&_blockquote]:ps-3 [&_blockquote]:text-soft [&_code]:font-mono [&_code]:text-small [&_.katex-html]:hidden [&_h1]:text-h2 [&_h2]:text-lede [&_img]:inline-block [&_img.emoji]:size-5 [&_li]:my-0.5 [&_ol]:list-decimal [&_ol]:ps-6 [&_p]:my-1.5 [&_pre]:overflow-x-auto [&_strong]:font-strong [&_table]:my-2 [&_td]:border [&_td]:border-rule [&_td]:px-2 [&_th]:border [&_th]:border-rule [&_th]:px-2 [&_ul]:list-disc [&_ul]:ps-6";

interface WelcomePreviewProps {
  /** Id of the field with the text; a button of its form requests the preview. */
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
    return watchPreviewedForm(document.getElementById(fieldId)?.closest("form"), {
      failed,
      begin: () => shown.value !== null,
      show: (outcome) => {
        problem.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
        if (outcome.isDone) shown.value = String(outcome.result["html"] ?? "");
      },
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
