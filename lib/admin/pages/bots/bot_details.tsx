import { useAdmin } from "@/components/admin/admin_view.ts";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { listDeliveries } from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import { hasOutgoingWebhook } from "@/lib/chat/people/webhooks/model.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";

/** Maximum number of deliveries that the page lists. */
const MAX_DELIVERIES = 20;

/** A message that was posted to the address of a bot. */
interface ShownDelivery {
  readonly messageId: number;
  readonly trigger: "mention" | "direct_message";
  readonly status: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly updatedAt: number;
}

/** Properties of a bot on its page. */
export interface BotDetails {
  /** Address that messages are posted to; null for other kinds of bots. */
  readonly payloadUrl: string | null;
  /** Time of the last message in milliseconds since 1970 UTC; null without one. */
  readonly lastMessageAt: number | null;
  /** The newest deliveries, newest first; null for bots without an address. */
  readonly deliveries: readonly ShownDelivery[] | null;
}

/** Loads the properties of a bot; deliveries only for viewers who may manage it. */
export async function loadBotDetails(
  request: AdminRequest,
  bot: UserRecord,
  mayManage: boolean,
): Promise<BotDetails> {
  const { chat, caller } = request;
  const hasDeliveries = mayManage && hasOutgoingWebhook(bot);
  const [lastMessageAt, deliveries] = await Promise.all([
    readLastMessageTime(request, bot),
    hasDeliveries ? listDeliveries(chat, caller, bot.id) : null,
  ]);
  return {
    payloadUrl: bot.outgoing_webhook?.payload_url ?? null,
    lastMessageAt,
    deliveries: deliveries?.slice(0, MAX_DELIVERIES).map((delivery) => ({
      messageId: delivery.message_id,
      trigger: delivery.trigger,
      status: delivery.status,
      attempts: delivery.attempts,
      httpStatus: delivery.http_status,
      error: delivery.error,
      updatedAt: delivery.updated_at * 1000,
    })) ?? null,
  };
}

async function readLastMessageTime(
  { chat, realm }: AdminRequest,
  { id }: UserRecord,
): Promise<number | null> {
  const prefix = [...messageKeys.sentBy(realm.id, id)];
  for await (const { key } of chat.store.kv.list({ prefix }, { limit: 1, reverse: true })) {
    const message = await chat.reads.read<MessageRecord>(messageKeys.message(realm.id, Number(key.at(-1))));
    return message?.sent_at ?? null;
  }
  return null;
}

/** Renders the newest messages that were posted to a bot's address. */
export function BotDeliveries({ deliveries }: { deliveries: readonly ShownDelivery[] }) {
  const { t, messages, formatter } = useAdmin();
  const text = messages.bots;
  return (
    <section aria-labelledby="deliveries-title" class="mb-9">
      <h2 id="deliveries-title" class="mb-2">{t("Last deliveries")}</h2>
      {deliveries.length === 0
        ? <p class="text-soft">{t("No messages were posted in the last seven days.")}</p>
        : (
          <DataTable
            caption={t("Last deliveries")}
            columns={[
              { title: t("Time"), isShort: true },
              { title: t("Message"), isShort: true },
              { title: t("Reason"), isShort: true },
              { title: t("Status"), isShort: true },
              { title: t("Attempts"), isAtEnd: true, isShort: true },
              { title: t("Answer") },
            ]}
            rows={deliveries.map((delivery) => ({
              id: String(delivery.messageId),
              cells: [
                <time key="time" dateTime={new Date(delivery.updatedAt).toISOString()}>
                  {formatter.moment(delivery.updatedAt)}
                </time>,
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

/** Returns a sentence about the latest use of an account's API key. */
export async function describeKeyUse(
  { t, chat, realm, formatter }: AdminRequest,
  user: UserRecord,
): Promise<string> {
  const day = await readKeyUseDay(chat, realm.id, user);
  if (day === null) return t("The API key has not been used yet.");
  // The recorded day is one of UTC, whatever the time zone of the viewer.
  const utc = createFormatter({ language: formatter.language, timeZone: "" });
  return t("API key last used on {date} (UTC).", { date: utc.date(day * DAY_MS) });
}
