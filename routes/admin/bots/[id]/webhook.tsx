export { webhookPage as handler } from "@/lib/admin/pages/bots/webhook.tsx";
