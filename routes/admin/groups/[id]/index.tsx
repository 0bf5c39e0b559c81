export { groupPage as handler } from "@/lib/admin/pages/groups/group.tsx";
