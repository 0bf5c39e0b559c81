export { bulkActionPage as handler } from "@/lib/admin/pages/bulk_actions/bulk_action.tsx";
