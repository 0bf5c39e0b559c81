import { WebhookPage } from "@/components/admin/bots/WebhookPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { webhookPage } from "@/lib/admin/bots/webhook_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(webhookPage);

export default define.page<typeof handler>(({ data }) => <WebhookPage {...data} />);
