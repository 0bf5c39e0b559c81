import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { findDialog } from "@/lib/client/dialog.ts";
import { SESSION_ENDED } from "@/lib/client/page_action.ts";
import { sayWhenSlow } from "@/lib/client/slow_submit.ts";
import { guardForms } from "@/lib/client/unsaved.ts";

interface FormComfortProps {
  /** The id of the dialog that opens when a form was sent without a session. */
  readonly sessionDialogId: string;
  /** What a button says while its form is under way. */
  readonly working: string;
  readonly offline: string;
}

/** What all forms of a page share: nothing typed is lost unasked, and one is told when the server is slow or away. */
export default function FormComfort({ sessionDialogId, working, offline }: FormComfortProps) {
  const isOffline = useSignal(false);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    guardForms(signal);
    sayWhenSlow(working, signal);
    document.addEventListener(SESSION_ENDED, () => {
      const dialog = findDialog(sessionDialogId);
      if (dialog?.open === false) dialog.showModal();
    }, { signal });
    const noteLine = () => isOffline.value = !navigator.onLine;
    globalThis.addEventListener("online", noteLine, { signal });
    globalThis.addEventListener("offline", noteLine, { signal });
    return () => ended.abort();
  }, []);
  return (
    <p role="status" class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent empty:hidden">
      {isOffline.value ? offline : ""}
    </p>
  );
}
