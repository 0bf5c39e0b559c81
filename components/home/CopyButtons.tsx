import { useCopy } from "@/lib/client/copy.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type ShortLink, toPlainLink } from "@/lib/ui/short_link.ts";

/** Renders buttons that copy a short link as it is or encoded, and announce it; hidden without JavaScript. */
export function CopyButtons({ link, short }: ShortLink) {
  const { outcome, copy } = useCopy();
  return (
    <div class="flex flex-wrap items-center gap-x-3 gap-y-2 noscript:hidden">
      <button
        type="button"
        class={`${PRIMARY_BUTTON} grow sm:grow-0`}
        onClick={() => copy(toPlainLink({ link, short }), "Short link copied")}
      >
        Copy short link
      </button>
      <button
        type="button"
        class={`${QUIET_BUTTON} grow sm:grow-0`}
        onClick={() => copy(link, "Encoded link copied")}
      >
        Copy encoded link
      </button>
      <span role="status" class="min-h-5 basis-full text-small sm:basis-auto font-medium text-good">
        {outcome.value}
      </span>
    </div>
  );
}
