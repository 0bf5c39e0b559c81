import { useEffect } from "preact/hooks";
import { findDialog } from "@/lib/client/dialog.ts";
import { listenToShortcuts } from "@/lib/client/shortcuts.ts";

/** Makes the shortcuts that the dialog with this id lists work, and opens it. */
export default function KeyboardHelp({ dialogId }: { dialogId: string }) {
  useEffect(() => {
    const sheet = findDialog(dialogId);
    return sheet === null ? undefined : listenToShortcuts(sheet);
  }, []);
  return null;
}
