export { fieldsPage as handler } from "@/lib/admin/pages/profile_fields/profile_fields.tsx";
