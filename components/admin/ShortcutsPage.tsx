import { useAdmin } from "./admin_view.ts";
import { AdminHeading } from "./AdminHeading.tsx";
import { ShortcutList } from "./ShortcutList.tsx";

/** The keyboard shortcuts as a page of their own. */
export function ShortcutsPage() {
  const text = useAdmin().words.shell.shortcuts;
  return (
    <>
      <AdminHeading title={text.title} lede={text.lede} />
      <ShortcutList />
    </>
  );
}
