import { ShortcutsPage } from "@/components/admin/shortcuts/ShortcutsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { shortcutsPage } from "@/lib/admin/shortcuts_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(shortcutsPage);

export default define.page<typeof handler>(() => <ShortcutsPage />);
