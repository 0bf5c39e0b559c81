import { useCopy } from "@/lib/client/copy.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

interface CopyTextProps {
  readonly text: string;
  /** Label of the button. */
  readonly label: string;
  /** Full label for screen readers. */
  readonly about?: string;
  /** Message after copying. */
  readonly done: string;
}

/** Copies one text and announces it; without JavaScript there is no button. */
export default function CopyText({ text, label, about, done }: CopyTextProps) {
  const { outcome, copy } = useCopy();
  return (
    <span class="inline-flex flex-wrap items-center noscript:hidden">
      <button type="button" class={QUIET_BUTTON} aria-label={about} onClick={() => copy(text, done)}>
        {label}
      </button>
      <span role="status" class="text-small font-medium text-good not-empty:ms-3">{outcome.value}</span>
    </span>
  );
}
