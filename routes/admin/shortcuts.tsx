export { shortcutsPage as handler } from "@/lib/admin/pages/shortcuts.tsx";
