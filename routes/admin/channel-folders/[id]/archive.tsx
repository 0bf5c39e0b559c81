export { archiveFolderPage as handler } from "@/lib/admin/pages/channel_folders.tsx";
