import type { ShownDelivery } from "@/lib/admin/bots/bot_details.ts";
import { useAdmin } from "../admin_view.ts";
import { DataTable } from "../DataTable.tsx";

/** Renders the newest messages that were posted to a bot's address. */
export function BotDeliveries({ deliveries }: { deliveries: readonly ShownDelivery[] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.bots;
  return (
    <section aria-labelledby="deliveries-title" class="mb-9">
      <h2 id="deliveries-title" class="mb-2">{text.deliveriesTitle}</h2>
      {deliveries.length === 0 ? <p class="text-soft">{text.noDeliveries}</p> : (
        <DataTable
          caption={text.deliveriesTitle}
          columns={[
            { title: text.updated, isShort: true },
            { title: text.message, isShort: true },
            { title: text.trigger, isShort: true },
            { title: text.status, isShort: true },
            { title: text.attempts, isAtEnd: true, isShort: true },
            { title: text.answer },
          ]}
          rows={deliveries.map((delivery) => ({
            id: String(delivery.messageId),
            cells: [
              formatter.moment(delivery.updatedAt),
              String(delivery.messageId),
              text.triggers[delivery.trigger],
              <span key="status" class={delivery.status === "failed" ? "font-medium text-accent" : ""}>
                {text.statuses[delivery.status]}
              </span>,
              formatter.number(delivery.attempts),
              <bdi key="answer">
                {[delivery.httpStatus === null ? "" : String(delivery.httpStatus), delivery.error ?? ""]
                  .filter(Boolean).join(" · ")}
              </bdi>,
            ],
          }))}
        />
      )}
    </section>
  );
}
