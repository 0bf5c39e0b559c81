export { resetKeyPage as handler } from "@/lib/admin/pages/users/user_actions.tsx";
