export { linkifiersPage as handler } from "@/lib/admin/pages/linkifiers/linkifiers.tsx";
