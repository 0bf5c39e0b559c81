export { findPage as handler } from "@/lib/admin/find/find_page.tsx";
