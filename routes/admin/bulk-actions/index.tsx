export { bulkActionsPage as handler } from "@/lib/admin/pages/bulk_actions/bulk_actions.tsx";
