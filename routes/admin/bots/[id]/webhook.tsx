import { WebhookPage } from "@/components/admin/bots/WebhookPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { webhookPage } from "@/lib/admin/bots/webhook_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(webhookPage);

export default define.page<typeof handler>(({ data }) => <WebhookPage {...data} />);
