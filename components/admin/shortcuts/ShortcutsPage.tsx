import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ShortcutList } from "./ShortcutList.tsx";

/** Renders the page with the keyboard shortcuts. */
export function ShortcutsPage() {
  const text = useAdmin().messages.shell.shortcuts;
  return (
    <>
      <AdminHeading title={text.title} lede={text.lede} />
      <ShortcutList />
    </>
  );
}
