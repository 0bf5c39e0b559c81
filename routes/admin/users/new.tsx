export { newUserPage as handler } from "@/lib/admin/pages/users/new_user.tsx";
