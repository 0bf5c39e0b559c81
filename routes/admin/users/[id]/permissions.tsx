export { userPermissionsPage as handler } from "@/lib/admin/pages/users/user_permissions.tsx";
