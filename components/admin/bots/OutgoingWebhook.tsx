import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ShownTestDelivery, WebhookData } from "@/lib/admin/bots/webhook_page.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { BotDeliveries } from "./BotDeliveries.tsx";
import { CodeBlock } from "./CodeBlock.tsx";

/** Renders the address of an outgoing webhook, the form that tests it, and the last deliveries. */
export function OutgoingWebhook({ data, refused }: AdminPageData<WebhookData>) {
  const { messages } = useAdmin();
  const text = messages.bots.webhook;
  const delivery = refused?.result?.["delivery"];
  return (
    <>
      <Panel title={text.testDelivery}>
        <dl>
          <dt class="text-small text-soft">{text.address}</dt>
          <dd class="flex flex-wrap items-baseline gap-x-4">
            <bdi class="font-mono text-small wrap-anywhere">{data.url}</bdi>
            <Link class="link text-small" href={`/admin/users/${data.id}`}>{text.change}</Link>
          </dd>
        </dl>
        <p class="max-w-[58ch] text-soft">{text.testOutgoing}</p>
        <AdminForm state={formState(refused, "test")} button={text.testDelivery} />
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
  const { messages, formatter } = useAdmin();
  const text = messages.bots.webhook;
  const { request, status, error, answer, isCut, content, duration: count } = delivery;
  const answerTitle = isCut ? formatter.t(text.answerCut, { count: answer?.length ?? 0 }) : text.answer;
  return (
    <div class="grid gap-4 border-t border-rule pt-4">
      <div role="status">
        <p class="font-strong">
          {status === null
            ? formatter.t(text.unanswered, { count })
            : formatter.t(text.answered, { status: String(status), count })}
        </p>
        {error !== null && <p class="font-medium text-accent">{error}</p>}
        {error === null && (content === null ? <p>{text.wouldPostNothing}</p> : <p>{text.wouldPost}</p>)}
        {content !== null && (
          <blockquote dir="auto" class="border-s-2 border-edge ps-3 wrap-anywhere whitespace-pre-wrap">
            {content}
          </blockquote>
        )}
      </div>
      {answer === "" && <p class="text-soft">{text.emptyAnswer}</p>}
      {answer !== null && answer !== "" && <CodeBlock title={answerTitle} code={answer} />}
      <div>
        <CodeBlock title={text.request} code={request} />
        <p class="mt-1 text-small text-soft">{text.requestHint}</p>
      </div>
    </div>
  );
}
