import type { FlashMessage } from "@/lib/services/admin_session.ts";
import { QUIET_BUTTON, STATUS_BAR, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";

/**
 * Renders the flash message as a bar at the bottom of the screen, where it is visible at any scroll position;
 * without JavaScript it is above the content, as it cannot be closed.
 */
export function FlashBar({ notice }: { notice: FlashMessage | null }) {
  const { messages: { common } } = useAdmin();
  if (notice === null) return <p role="status" class="sr-only" />;
  const { text, undo } = notice;
  return (
    <div id="flash" class={STATUS_BAR}>
      <p role="status" class="min-w-0 break-words">{text}</p>
      {undo !== null && (
        <form method="post" action={undo.path}>
          {Object.entries(undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class={`${QUIET_BUTTON} min-h-9`}>{common.undo}</button>
        </form>
      )}
      <button type="button" data-closes="flash" class={`${WORD_BUTTON} min-h-9 noscript:hidden`}>
        {common.close}
      </button>
    </div>
  );
}
