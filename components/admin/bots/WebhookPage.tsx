import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { WebhookData } from "@/lib/admin/bots/webhook_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { IncomingWebhook } from "./IncomingWebhook.tsx";
import { OutgoingWebhook } from "./OutgoingWebhook.tsx";

/** Renders the page of a webhook: its address, and the form that tests it. */
export function WebhookPage({ data, refused }: AdminPageData<WebhookData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bots.webhook;
  const isIncoming = data.kind === "incoming";
  const Webhook = isIncoming ? IncomingWebhook : OutgoingWebhook;
  return (
    <>
      <AdminHeading
        title={formatter.t(text.title, { name: data.name })}
        above={[
          { path: "/admin/users?tab=bots", name: messages.users.bots },
          { path: `/admin/users/${data.id}`, name: data.name },
        ]}
        lede={isIncoming ? text.incomingLede : text.outgoingLede}
      />
      <Webhook data={data} refused={refused} />
    </>
  );
}
