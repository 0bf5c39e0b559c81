export { botKeyPage as handler } from "@/lib/admin/pages/bots/bots.tsx";
