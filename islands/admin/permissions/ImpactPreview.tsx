import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ShownImpact } from "@/lib/admin/permissions/impact_preview.ts";
import { watchPreviewedForm } from "@/lib/client/previewed_form.ts";

interface ImpactPreviewProps {
  /** Effect that the server calculated; null before the form asked for it. */
  readonly impact: ShownImpact | null;
  readonly messages: { readonly title: string; readonly pending: string; readonly download: string };
  /** Message when the server cannot be reached. */
  readonly failed: string;
}

/** Shows whom the change in the form around it affects, as the server calculates it after each change. */
export default function ImpactPreview({ impact, messages, failed }: ImpactPreviewProps) {
  const shown = useSignal(impact);
  const note = useSignal("");
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    return watchPreviewedForm(root.current?.closest("form"), {
      failed,
      begin: (isChanged) => {
        shown.value = null;
        note.value = isChanged ? messages.pending : "";
        return isChanged;
      },
      show: (outcome) => {
        // Incomplete input is explained when it is saved.
        note.value = "";
        const impact = outcome.isDone ? outcome.result["impact"] : null;
        shown.value = isImpact(impact) ? impact : null;
      },
    });
  }, []);
  return (
    <div ref={root} aria-live="polite">
      {note.value !== "" && <p class="text-small text-soft">{note.value}</p>}
      {shown.value !== null && <Impact impact={shown.value} messages={messages} />}
    </div>
  );
}

function Impact({ impact: { parts, notes }, messages }: Pick<ImpactPreviewProps, "messages"> & {
  readonly impact: ShownImpact;
}) {
  return (
    <div
      role="region"
      aria-label={messages.title}
      class="grid gap-2 rounded-control border border-rule bg-raised px-4 py-3"
    >
      <p class="font-strong">{messages.title}</p>
      {parts.map(({ label, sentences }) => (
        <div key={label}>
          <p class="font-medium">{label}</p>
          {sentences.map((sentence) => (
            <p key={sentence} dir="auto" class="text-small break-words">{sentence}</p>
          ))}
        </div>
      ))}
      {notes.map((note) => <p key={note} class="text-small">{note}</p>)}
      {parts.length > 0 && (
        <button
          type="submit"
          name="action"
          value="impact_csv"
          class="link inline-flex min-h-8 cursor-pointer items-center justify-self-start text-small font-medium"
        >
          {messages.download}
        </button>
      )}
    </div>
  );
}

function isImpact(value: unknown): value is ShownImpact {
  return typeof value === "object" && value !== null && "parts" in value && "notes" in value;
}
