export { activityPage as handler } from "@/lib/admin/pages/activity.tsx";
