export { importUsersPage as handler } from "@/lib/admin/pages/users/import.tsx";
