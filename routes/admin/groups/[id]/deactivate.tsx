export { deactivateGroupPage as handler } from "@/lib/admin/pages/groups/group.tsx";
