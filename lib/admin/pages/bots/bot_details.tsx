import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { listDeliveries } from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import { hasOutgoingWebhook } from "@/lib/chat/people/webhooks.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import { Moment } from "@/components/admin/Moment.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";

/** Maximum number of deliveries that the page lists. */
const MAX_DELIVERIES = 20;

/** Lists the newest deliveries to the address of a bot, newest first; null for users without one. */
export async function listShownDeliveries({ chat, caller }: AdminRequest, user: UserRecord) {
  if (!hasOutgoingWebhook(user)) return null;
  return (await listDeliveries(chat, caller, user.id)).slice(0, MAX_DELIVERIES);
}

/** Reads when a bot sent its last message, in milliseconds since 1970 UTC; null without one. */
export async function readLastMessageTime({ chat, realm }: AdminRequest, { id }: UserRecord) {
  const prefix = [...messageKeys.sentBy(realm.id, id)];
  for await (const { key } of chat.store.kv.list({ prefix }, { limit: 1, reverse: true })) {
    const message = await chat.reads.read<MessageRecord>(messageKeys.message(realm.id, Number(key.at(-1))));
    return message?.sent_at ?? null;
  }
  return null;
}

const texts = {
  triggers: { mention: "Mention", direct_message: "Direct message" },
  statuses: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" },
};

export type Deliveries = Awaited<ReturnType<typeof listDeliveries>>;

export function BotDeliveries({ deliveries }: { deliveries: Deliveries }) {
  const { text, t, formatter } = useTexts(texts);
  const title = t("Last deliveries");
  return (
    <section aria-labelledby="deliveries-title" class="mb-9">
      <h2 id="deliveries-title" class="mb-2">{title}</h2>
      {deliveries.length === 0
        ? <p class="text-soft">{t("No messages were posted in the last seven days.")}</p>
        : (
          <Table
            caption={title}
            items={deliveries}
            keyOf={({ message_id }) => String(message_id)}
            columns={[
              {
                title: t("Time"),
                isShort: true,
                cell: ({ updated_at }) => <Moment time={updated_at * 1000} />,
              },
              { title: t("Message"), isShort: true, cell: ({ message_id }) => String(message_id) },
              { title: t("Reason"), isShort: true, cell: ({ trigger }) => text.triggers[trigger] },
              {
                title: t("Status"),
                isShort: true,
                cell: ({ status }) => (
                  <span class={status === "failed" ? "font-medium text-accent" : ""}>
                    {text.statuses[status]}
                  </span>
                ),
              },
              {
                title: t("Attempts"),
                isAtEnd: true,
                isShort: true,
                cell: ({ attempts }) => formatter.number(attempts),
              },
              {
                title: t("Answer"),
                cell: ({ http_status, error }) => (
                  <bdi>{[http_status, error].filter(Boolean).join(" · ")}</bdi>
                ),
              },
            ]}
          />
        )}
    </section>
  );
}

/** Returns a sentence about the latest use of an account's API key. */
export async function describeKeyUse({ t, chat, realm, formatter }: AdminRequest, user: UserRecord) {
  const day = await readKeyUseDay(chat, realm.id, user);
  if (day === null) return t("The API key has not been used yet.");
  // The recorded day is one of UTC, whatever the time zone of the viewer.
  const utc = createFormatter({ language: formatter.language, timeZone: "" });
  return t("API key last used on {date} (UTC).", { date: utc.date(day * DAY_MS) });
}
