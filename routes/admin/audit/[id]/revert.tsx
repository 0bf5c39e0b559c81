export { revertPage as handler } from "@/lib/admin/pages/audit/revert.tsx";
