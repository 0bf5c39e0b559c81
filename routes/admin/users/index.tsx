export { usersPage as handler } from "@/lib/admin/pages/users/users.tsx";
