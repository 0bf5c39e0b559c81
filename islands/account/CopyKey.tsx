import { useCopy } from "@/lib/client/copy.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

/** Renders a button that copies the API key and announces it; hidden without JavaScript. */
export default function CopyKey({ apiKey }: { apiKey: string }) {
  const { outcome, copy } = useCopy();
  return (
    <div class="flex flex-wrap items-center gap-x-3 noscript:hidden">
      <button type="button" class={QUIET_BUTTON} onClick={() => copy(apiKey, "API key copied")}>
        Copy API key
      </button>
      <span role="status" class="text-small font-medium text-good">{outcome.value}</span>
    </div>
  );
}
