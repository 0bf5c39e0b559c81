import { useCopy } from "@/lib/client/copy.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

interface CopyTextProps {
  readonly text: string;
  /** What the button says. */
  readonly label: string;
  /** What it says in full, for those who hear it alone. */
  readonly about?: string;
  /** What is said once it is done. */
  readonly done: string;
}

/** Copies one text, and says so aloud; without script there is nothing to press. */
export default function CopyText({ text, label, about, done }: CopyTextProps) {
  const { outcome, copy } = useCopy();
  return (
    <span class="inline-flex flex-wrap items-center gap-x-3 noscript:hidden">
      <button type="button" class={QUIET_BUTTON} aria-label={about} onClick={() => copy(text, done)}>
        {label}
      </button>
      <span role="status" class="text-small font-medium text-good">{outcome.value}</span>
    </span>
  );
}
