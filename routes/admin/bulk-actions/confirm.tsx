export { confirmBulkActionPage as handler } from "@/lib/admin/pages/bulk_actions/confirm_bulk_action.tsx";
