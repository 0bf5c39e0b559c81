export { newBulkActionPage as handler } from "@/lib/admin/pages/bulk_actions/new_bulk_action.tsx";
