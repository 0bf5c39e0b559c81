export { newGroupPage as handler } from "@/lib/admin/pages/groups/new_group.tsx";
