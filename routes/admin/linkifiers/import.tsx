export { importLinkifiersPage as handler } from "@/lib/admin/pages/linkifiers/import.tsx";
