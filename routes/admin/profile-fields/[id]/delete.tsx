export { deleteFieldPage as handler } from "@/lib/admin/pages/profile_fields/profile_field.tsx";
