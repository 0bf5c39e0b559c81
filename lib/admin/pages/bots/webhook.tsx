import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import {
  INCOMING_WEBHOOK_BOT,
  OUTGOING_WEBHOOK_BOT,
  requireCanManageUser,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import {
  readTestMessage,
  type TestDelivery,
  testIncomingWebhook,
  testOutgoingWebhook,
} from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import { FIELD_HINT, FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { BotDeliveries, listShownDeliveries } from "./bot_details.tsx";
import { showKey } from "./bots.tsx";

const texts = {
  incomingLede:
    "Programs that post to this URL send messages as the bot. Everyone with the URL can do so: keep it secret.",
  outgoingLede: "Messages that mention the bot, and direct messages to it, are posted to this address.",
  urlHint: "Messages go to the bot’s owner, or to a channel when you add &stream=CHANNEL&topic=TOPIC.",
  testIncoming: "Posts a message that names you, in the same way as a program that uses the URL.",
  testOutgoing:
    "Posts a sample message to the address, with the limits of a delivery. Nothing is stored, and the answer is not posted.",
};

/** Number of characters that are shown of an answer. */
const SHOWN_CHARACTERS = 1000;
const DEFAULT_TOPIC = "JSON";

type WebhookData = NonNullable<Awaited<ReturnType<typeof loadWebhook>>>;

async function loadWebhook(request: AdminRequest) {
  const { chat, realm, user } = request;
  const bot = await readUser(chat, realm.id, pathId(request));
  if (bot === null || !bot.is_active) return null;
  const kind = bot.bot_type === INCOMING_WEBHOOK_BOT
    ? "incoming"
    : bot.bot_type === OUTGOING_WEBHOOK_BOT
    ? "outgoing"
    : null;
  if (kind === null) return null;
  requireCanManageUser(user, bot);
  return {
    ...{ id: bot.id, name: bot.full_name, kind, isOwn: bot.bot_owner_id === user.id },
    url: bot.outgoing_webhook?.payload_url ?? `${realmUrl(chat, realm)}/api/v1/external/json`,
    deliveries: await listShownDeliveries(request, bot) ?? [],
    posted: kind === "incoming" ? await readPosted(request, bot) : null,
  };
}

/** Reads the message that the page's address names after a test. */
async function readPosted(request: AdminRequest, bot: UserRecord) {
  const { chat, caller, user, query } = request;
  const messageId = Number(/^\d{1,15}$/.exec(query.get("message") ?? "")?.[0]);
  if (Number.isNaN(messageId)) return null;
  const message = await readTestMessage(chat, caller, { botId: bot.id, messageId });
  if (message === null) return null;
  const channels = await listVisibleChannels(chat, await request.readPermissions(), user);
  return {
    ...message,
    // The mention of the viewer reads as their name.
    content: message.content.replace(/@_\*\*(.*)\|\d+\*\*/, "$1"),
    /** Null for a channel that the viewer may not see. */
    channelName: channels.find(({ channel }) => channel.id === message.channel_id)?.channel.name ?? null,
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
    const botId = pathId(request);
    if ((await readUser(chat, realm.id, botId))?.bot_type === OUTGOING_WEBHOOK_BOT) {
      const delivery = toShown(await testOutgoingWebhook(chat, caller, botId));
      return { flash: "", isDraft: true, result: { delivery } };
    }
    const requested = {
      stream: stream === "" ? undefined : stream,
      topic: topic === "" ? DEFAULT_TOPIC : topic,
    };
    const id = await testIncomingWebhook(chat, caller, { botId, requested });
    return { flash: t("Message {id} posted.", { id }), to: `/admin/bots/${botId}/webhook?message=${id}` };
  },
});

/** A request that tested an outgoing webhook. */
type ShownTestDelivery = ReturnType<typeof toShown>;

function toShown({ outcome, body: received, payload, durationMs }: TestDelivery) {
  // A server may repeat the request.
  const body = received?.replaceAll(payload.token, "…") ?? null;
  return {
    /** Body of the request, without the token. */
    request: JSON.stringify({ ...payload, token: "…" }, null, 2),
    status: outcome.status,
    error: outcome.kind === "failed" ? outcome.error : null,
    /** First characters of the answer; null without one. */
    answer: body === null ? null : cut(body),
    isCut: body !== null && body.length > SHOWN_CHARACTERS,
    /** Message that the bot would post; null for none. */
    content: outcome.kind === "answered" && outcome.content !== null ? cut(outcome.content) : null,
    /** Milliseconds. */
    duration: Math.round(durationMs),
  };
}

function cut(text: string): string {
  return text.slice(0, SHOWN_CHARACTERS).toWellFormed();
}

/** The page of an incoming or outgoing webhook, which shows its address and tests it. */
export const webhookPage = adminPage({
  path: "/admin/bots/[id]/webhook",
  load: loadWebhook,
  title: ({ name }, t) => t("Webhook of {name}", { name }),
  lede: ({ kind }, t) => t(kind === "incoming" ? texts.incomingLede : texts.outgoingLede),
  above: ({ id, name }, _, { users }) => [
    { path: "/admin/users?tab=bots", name: users.bots },
    { path: `/admin/users/${id}`, name },
  ],
  forms: [showKey, test],
  view: ({ data }) =>
    data.kind === "incoming" ? <IncomingWebhook data={data} /> : <OutgoingWebhook data={data} />,
});

const KEY_PLACEHOLDER = "API_KEY";

/** Renders the URL of an incoming webhook, a command that posts to it, and the form that tests it. */
function IncomingWebhook({ data }: { data: WebhookData }) {
  const { t, text } = useTexts(texts);
  return (
    <>
      <Address data={data} />
      <section aria-labelledby="test-title" class="mb-9">
        <h2 id="test-title">{t("Send a test")}</h2>
        <p class="mt-1 mb-4 max-w-[58ch] text-soft">{text.testIncoming}</p>
        {data.posted !== null && <Posted posted={data.posted} />}
        <div class="max-w-[28rem]">
          <Form
            of={test}
            look={QUIET_BUTTON}
            stored={{ stream: data.posted?.channelName ?? "", topic: data.posted?.topic ?? "" }}
          >
            {({ stream, topic }) => <>{stream}{topic}</>}
          </Form>
        </div>
      </section>
    </>
  );
}

function Address({ data }: { data: WebhookData }) {
  const { t, text, messages } = useTexts(texts);
  const key = useRefusedForm()?.result?.["key"];
  const isShown = typeof key === "string";
  const url = `${data.url}?api_key=${isShown ? key : KEY_PLACEHOLDER}`;
  const command = `curl '${url}' -H 'content-type: application/json' -d '{"text": "Hello"}'`;
  return (
    <Panel title={t("Webhook URL")}>
      {isShown && <p role="status">{t("The key is not shown again when you leave this page.")}</p>}
      <div class="grid gap-y-1.5">
        <label for="webhook_url" class={FIELD_LABEL}>{t("Webhook URL")}</label>
        <input
          id="webhook_url"
          readOnly
          autoComplete="off"
          spellcheck={false}
          value={url}
          aria-describedby="webhook_url-hint"
          class={`${TEXT_FIELD} font-mono text-small`}
        />
        <p id="webhook_url-hint" class={FIELD_HINT}>{text.urlHint}</p>
      </div>
      {isShown && <CopyText text={url} label={t("Copy URL")} done={messages.common.copied} />}
      <CodeBlock title={t("Command that posts a message")} code={command} />
      {isShown && <CopyText text={command} label={t("Copy command")} done={messages.common.copied} />}
      {!isShown && (
        <p>
          {t("In place of API_KEY, the URL has the bot’s API key.")}{" "}
          {!data.isOwn && t("Only the bot’s owner can see the key in it.")}{" "}
          {!data.isOwn && <Link class="link" href={`/admin/bots/${data.id}/key`}>{t("Manage API key")}</Link>}
        </p>
      )}
      {!isShown && data.isOwn && <AdminForm state={useFormState(showKey)} button={t("Show URL with key")} />}
    </Panel>
  );
}

function Posted({ posted }: { posted: NonNullable<WebhookData["posted"]> }) {
  const { t } = useAdmin();
  const { channel_id: id, channelName, topic, content } = posted;
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

/** Renders the address of an outgoing webhook, the form that tests it, and the last deliveries. */
function OutgoingWebhook({ data }: { data: WebhookData }) {
  const { t, text } = useTexts(texts);
  const delivery = useRefusedForm()?.result?.["delivery"];
  return (
    <>
      <Panel title={t("Send a test delivery")}>
        <dl>
          <dt class="text-small text-soft">{t("Address")}</dt>
          <dd class="flex flex-wrap items-baseline gap-x-4">
            <bdi class="font-mono text-small wrap-anywhere">{data.url}</bdi>
            <Link class="link text-small" href={`/admin/users/${data.id}`}>{t("Change address")}</Link>
          </dd>
        </dl>
        <p class="max-w-[58ch] text-soft">{text.testOutgoing}</p>
        <AdminForm state={useFormState(test)} button={t("Send a test delivery")} />
        {isDelivery(delivery) && <Outcome delivery={delivery} />}
      </Panel>
      <BotDeliveries deliveries={data.deliveries} />
    </>
  );
}

function isDelivery(value: unknown): value is ShownTestDelivery {
  return typeof value === "object" && value !== null && "request" in value && "duration" in value;
}

function Outcome({ delivery }: { delivery: ShownTestDelivery }) {
  const { t } = useTexts(texts);
  const { request, status, error, answer, isCut, content, duration: count } = delivery;
  const answerTitle = isCut
    ? t("Answer, first {count} characters", { count: answer?.length ?? 0 })
    : t("Answer");
  return (
    <div class="grid gap-4 border-t border-rule pt-4">
      <div role="status">
        <p class="font-strong">
          {status === null
            ? t("No answer after {count} ms", { count })
            : t("Status {status} after {count} ms", { status: String(status), count })}
        </p>
        {error !== null && <p class="font-medium text-accent">{error}</p>}
        {error === null &&
          (content === null ? <p>{t("The bot would post nothing.")}</p> : <p>{t("The bot would post:")}</p>)}
        {content !== null && (
          <blockquote dir="auto" class="border-s-2 border-edge ps-3 wrap-anywhere whitespace-pre-wrap">
            {content}
          </blockquote>
        )}
      </div>
      {answer === "" && <p class="text-soft">{t("The answer is empty.")}</p>}
      {answer !== null && answer !== "" && <CodeBlock title={answerTitle} code={answer} />}
      <div>
        <CodeBlock title={t("Request")} code={request} />
        <p class="mt-1 text-small text-soft">{t("The request’s token is left out here.")}</p>
      </div>
    </div>
  );
}

/** Renders code with a title; long lines wrap. */
function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure class="grid gap-1.5">
      <figcaption class="text-small font-strong">{title}</figcaption>
      <pre class="rounded-control border border-rule bg-paper px-3 py-2 text-small wrap-anywhere whitespace-pre-wrap"><code dir="ltr">{code}</code></pre>
    </figure>
  );
}
