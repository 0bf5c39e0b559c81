import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { PostedTest, WebhookData } from "@/lib/admin/bots/webhook_page.ts";
import { FIELD_HINT, FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { CodeBlock } from "./CodeBlock.tsx";

const KEY_PLACEHOLDER = "API_KEY";

/** Renders the URL of an incoming webhook, a command that posts to it, and the form that tests it. */
export function IncomingWebhook({ data, refused }: AdminPageData<WebhookData>) {
  const { messages } = useAdmin();
  const text = messages.bots.webhook;
  const state = formState(refused, "test");
  return (
    <>
      <Address data={data} refused={refused} />
      <section aria-labelledby="test-title" class="mb-9">
        <h2 id="test-title">{text.testTitle}</h2>
        <p class="mt-1 mb-4 max-w-[58ch] text-soft">{text.testIncoming}</p>
        {data.posted !== null && <Posted posted={data.posted} />}
        <div class="max-w-[28rem]">
          <AdminForm state={state} button={text.test} look={QUIET_BUTTON}>
            <TextInput
              state={state}
              name="stream"
              label={text.channel}
              hint={text.channelHint}
              stored={data.posted?.channel?.name ?? ""}
            />
            <TextInput
              state={state}
              name="topic"
              label={text.topic}
              hint={text.topicHint}
              stored={data.posted?.topic ?? ""}
            />
          </AdminForm>
        </div>
      </section>
    </>
  );
}

function Address({ data, refused }: AdminPageData<WebhookData>) {
  const { messages } = useAdmin();
  const text = messages.bots.webhook;
  const key = refused?.result?.["key"];
  const isShown = typeof key === "string";
  const url = `${data.url}?api_key=${isShown ? key : KEY_PLACEHOLDER}`;
  const command = `curl '${url}' -H 'content-type: application/json' -d '{"text": "Hello"}'`;
  return (
    <Panel title={text.url}>
      {isShown && <p role="status">{text.shown}</p>}
      <div class="grid gap-y-1.5">
        <label for="webhook_url" class={FIELD_LABEL}>{text.url}</label>
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
      {isShown && <CopyText text={url} label={text.copyUrl} done={messages.common.copied} />}
      <CodeBlock title={text.command} code={command} />
      {isShown && <CopyText text={command} label={text.copyCommand} done={messages.common.copied} />}
      {!isShown && (
        <p>
          {text.keyHint} {!data.isOwn && text.others}{" "}
          {!data.isOwn && (
            <Link class="link" href={`/admin/bots/${data.id}/key`}>{messages.bots.keyLink}</Link>
          )}
        </p>
      )}
      {!isShown && data.isOwn && <AdminForm state={formState(refused, "show")} button={text.showUrl} />}
    </Panel>
  );
}

/** Renders the message that the test posted. */
function Posted({ posted: { channel, topic, content } }: { posted: PostedTest }) {
  const { messages, formatter } = useAdmin();
  const text = messages.bots.webhook;
  return (
    <figure class="mb-5 grid max-w-[40rem] gap-2 rounded-control bg-wash px-4 py-3">
      <figcaption>
        <bdi>
          {channel === null
            ? text.postedDirect
            : formatter.t(text.postedTo, { channel: channel.name ?? String(channel.id), topic })}
        </bdi>
      </figcaption>
      <blockquote dir="auto" class="border-s-2 border-edge ps-3 break-words">{content}</blockquote>
      {channel !== null && channel.name !== null && (
        <p>
          <Link class="link" href={`/admin/channels/${channel.id}`}>{text.openChannel}</Link>
        </p>
      )}
    </figure>
  );
}
