export { userPage as handler } from "@/lib/admin/pages/users/user.tsx";
