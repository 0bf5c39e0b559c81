export { linksPage as handler } from "@/lib/admin/pages/links/links.tsx";
