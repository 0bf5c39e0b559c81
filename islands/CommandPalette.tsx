import { useEffect } from "preact/hooks";
import { findDialog } from "@/lib/client/dialog.ts";
import { listenToPalette } from "@/lib/client/palette.ts";

/** Makes the dialog with this id one in which pages are found by typing. */
export default function CommandPalette({ dialogId }: { dialogId: string }) {
  useEffect(() => {
    const palette = findDialog(dialogId);
    return palette === null ? undefined : listenToPalette(palette);
  }, []);
  return null;
}
