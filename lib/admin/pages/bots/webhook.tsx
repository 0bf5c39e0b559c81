import { useAdmin } from "@/components/admin/admin_view.ts";
import { useDraft } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { Link } from "@/components/Link.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import {
  readTestMessage,
  testIncomingWebhook,
  testOutgoingWebhook,
} from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import {
  INCOMING_WEBHOOK_BOT,
  OUTGOING_WEBHOOK_BOT,
  requireCanManageUser,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { getBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { readVisibleChannel } from "@/lib/admin/shown_people.ts";
import { getNamed } from "../users/user_data.ts";
import { listShownDeliveries } from "./bot_details.tsx";
import { aboveBot } from "./bots.tsx";
import { CodeBlock, OutgoingWebhook, TestedDelivery } from "./outgoing_webhook.tsx";

const texts = {
  incomingLede:
    "Programs that post to this URL send messages as the bot. Everyone with the URL can do so: keep it secret.",
  outgoingLede: "Messages that mention the bot, and direct messages to it, are posted to this address.",
  urlHint: "Messages go to the bot’s owner, or to a channel when you add &stream=CHANNEL&topic=TOPIC.",
  testIncoming: "Posts a message that names you, in the same way as a program that uses the URL.",
};

type WebhookData = NonNullable<Awaited<ReturnType<typeof loadWebhook>>>;

async function loadWebhook(request: AdminRequest) {
  const bot = await getNamed(request);
  const isIncoming = bot.bot_type === INCOMING_WEBHOOK_BOT;
  if (!bot.is_active || !isIncoming && bot.bot_type !== OUTGOING_WEBHOOK_BOT) return null;
  requireCanManageUser(request.user, bot);
  return {
    ...{ bot, isIncoming, url: toUrl(request, "API_KEY") },
    deliveries: await listShownDeliveries(request, bot) ?? [],
    posted: isIncoming ? await readPosted(request, bot) : null,
  };
}

/** Returns the URL that messages for an incoming webhook bot are posted to. */
function toUrl({ chat, realm }: AdminRequest, key: string): string {
  return `${realmUrl(chat, realm)}/api/v1/external/json?api_key=${key}`;
}

/** Reads the message that the page's address names after a test. */
async function readPosted(request: AdminRequest, { id: botId }: UserRecord) {
  const { chat, caller, query } = request;
  const messageId = Number(query.get("message"));
  const message = await readTestMessage(chat, caller, { botId, messageId });
  if (message === null) return null;
  const { channel_id: id, topic } = message;
  return {
    ...{ id, topic },
    // The mention of the viewer reads as their name.
    content: message.content.replace(/@_\*\*(.*)\|\d+\*\*/, "$1"),
    /** Null for a channel that the viewer may not see. */
    channelName: id === null ? null : (await readVisibleChannel(request, id))?.channel.name ?? null,
  };
}

const test = form({
  action: "test",
  button: "Send a test",
  fields: {
    stream: text({
      label: "Channel",
      hint: "A name or an ID. Without it, the message goes to the bot’s owner.",
    }),
    topic: text({ label: "Topic", hint: "If empty, the topic is JSON." }),
  },
  parameters: { to: "stream" },
  run: async (request, { stream, topic }) => {
    const { chat, caller, realm, services, t } = request;
    await services.limiter?.consume("webhook_test", String(realm.id));
    const { id: botId, bot_type } = await getNamed(request);
    if (bot_type === OUTGOING_WEBHOOK_BOT) {
      const delivery = await testOutgoingWebhook(chat, caller, botId);
      return { flash: "", draft: <TestedDelivery delivery={delivery} /> };
    }
    const requested = { stream: stream || undefined, topic: topic || "JSON" };
    const id = await testIncomingWebhook(chat, caller, { botId, requested });
    return { flash: t("Message {id} posted.", { id }), to: `/admin/bots/${botId}/webhook?message=${id}` };
  },
});

const showUrl = form({
  action: "show",
  button: "Show URL with key",
  run: async (request) => {
    const { api_key } = await getBotKey(request.chat, request.caller, pathId(request));
    return { flash: "", draft: <UrlAndCommand url={toUrl(request, api_key)} hasKey /> };
  },
});

/** The page of an incoming or outgoing webhook, which shows its address and tests it. */
export const webhookPage = adminPage({
  path: "/admin/bots/[id]/webhook",
  load: loadWebhook,
  title: ({ bot: { full_name: name } }, t) => t("Webhook of {name}", { name }),
  lede: ({ isIncoming }, t) => t(isIncoming ? texts.incomingLede : texts.outgoingLede),
  above: aboveBot,
  forms: [showUrl, test],
  view: ({ data }) => data.isIncoming ? <IncomingWebhook data={data} /> : <OutgoingWebhook {...data} />,
});

/** Renders the URL of an incoming webhook, a command that posts to it, and the form that tests it. */
function IncomingWebhook({ data: { bot, url, posted } }: { data: WebhookData }) {
  const { t, text, user } = useTexts(texts);
  const isOwn = bot.bot_owner_id === user.id;
  return (
    <>
      <Panel title={t("Webhook URL")}>
        {useDraft(showUrl) ?? (
          <>
            <UrlAndCommand url={url} />
            <p>
              {t("In place of API_KEY, the URL has the bot’s API key.")}{" "}
              {!isOwn && t("Only the bot’s owner can see the key in it.")}{" "}
              {!isOwn && <Link class="link" href={`/admin/bots/${bot.id}/key`}>{t("Manage API key")}</Link>}
            </p>
            {isOwn && <Form of={showUrl} />}
          </>
        )}
      </Panel>
      <section aria-labelledby="test-title" class="mb-9">
        <h2 id="test-title">{t("Send a test")}</h2>
        <p class="mt-1 mb-4 max-w-[58ch] text-soft">{text.testIncoming}</p>
        {posted !== null && <Posted {...posted} />}
        <div class="max-w-[28rem]">
          <Form
            of={test}
            look={QUIET_BUTTON}
            stored={{ stream: posted?.channelName ?? "", topic: posted?.topic ?? "" }}
          >
            {({ stream, topic }) => <>{stream}{topic}</>}
          </Form>
        </div>
      </section>
    </>
  );
}

/** Renders the URL of an incoming webhook and a command that posts to it, which can be copied with the key. */
function UrlAndCommand({ url, hasKey = false }: { url: string; hasKey?: boolean }) {
  const { t, text } = useTexts(texts);
  const command = `curl '${url}' -H 'content-type: application/json' -d '{"text": "Hello"}'`;
  return (
    <>
      {hasKey && <p role="status">{t("The key is not shown again when you leave this page.")}</p>}
      <SecretField
        id="webhook_url"
        label={t("Webhook URL")}
        value={url}
        hint={text.urlHint}
        copy={hasKey ? t("Copy URL") : undefined}
      />
      <CodeBlock title={t("Command that posts a message")} code={command} />
      {hasKey && <CopyText text={command} label={t("Copy command")} done={t("Copied.")} />}
    </>
  );
}

function Posted({ id, channelName, topic, content }: NonNullable<WebhookData["posted"]>) {
  const { t } = useAdmin();
  return (
    <figure class="mb-5 grid max-w-[40rem] gap-2 rounded-control bg-wash px-4 py-3">
      <figcaption>
        <bdi>
          {id === null
            ? t("Direct message to the bot’s owner:")
            : t("Channel {channel}, topic {topic}:", { channel: channelName ?? String(id), topic })}
        </bdi>
      </figcaption>
      <blockquote dir="auto" class="border-s-2 border-edge ps-3 break-words">{content}</blockquote>
      {channelName !== null && (
        <p>
          <Link class="link" href={`/admin/channels/${id}`}>{t("Open the page of the channel")}</Link>
        </p>
      )}
    </figure>
  );
}
