export { deleteLinkPage as handler } from "@/lib/admin/pages/links/edit_link.tsx";
