export { realmPermissionsPage as handler } from "@/lib/admin/pages/organization/permissions.tsx";
