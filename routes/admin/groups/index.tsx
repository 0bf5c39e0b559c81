export { groupsPage as handler } from "@/lib/admin/pages/groups/groups.tsx";
