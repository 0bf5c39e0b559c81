export { foldersPage as handler } from "@/lib/admin/pages/channel_folders.tsx";
