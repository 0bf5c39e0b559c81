import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useDraft, useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import type { TestDelivery } from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { BotDeliveries, type Deliveries } from "./bot_details.tsx";

const texts = {
  test:
    "Posts a sample message to the address, with the limits of a delivery. Nothing is stored, and the answer is not posted.",
};

/** The form of webhooks' pages that sends a test. */
const TEST = { action: "test" };

/** Renders the address of an outgoing webhook, the form that tests it, and the last deliveries. */
export function OutgoingWebhook({ bot, deliveries }: { bot: UserRecord; deliveries: Deliveries }) {
  const { t, text } = useTexts(texts);
  return (
    <>
      <Panel title={t("Send a test delivery")}>
        <dl>
          <dt class="text-small text-soft">{t("Address")}</dt>
          <dd class="flex flex-wrap items-baseline gap-x-4">
            <bdi class="font-mono text-small wrap-anywhere">{bot.outgoing_webhook?.payload_url}</bdi>
            <Link class="link text-small" href={`/admin/users/${bot.id}`}>{t("Change address")}</Link>
          </dd>
        </dl>
        <p class="max-w-[58ch] text-soft">{text.test}</p>
        <AdminForm state={useFormState(TEST)} button={t("Send a test delivery")} />
        {useDraft(TEST)}
      </Panel>
      <BotDeliveries deliveries={deliveries} />
    </>
  );
}

/** Number of characters that are shown of an answer. */
const SHOWN_CHARACTERS = 1000;

/** Renders the answer to a test delivery, and its request. */
export function TestedDelivery(
  { delivery: { outcome, body, payload, durationMs } }: { delivery: TestDelivery },
) {
  const { t } = useAdmin();
  // A server may repeat the request, whose token is left out.
  const answer = body?.replaceAll(payload.token, "…") ?? null;
  const isCut = answer !== null && answer.length > SHOWN_CHARACTERS;
  const count = Math.round(durationMs);
  return (
    <div class="grid gap-4 border-t border-rule pt-4">
      <div role="status">
        <p class="font-strong">
          {outcome.status === null
            ? t("No answer after {count} ms", { count })
            : t("Status {status} after {count} ms", { status: String(outcome.status), count })}
        </p>
        {outcome.kind === "failed"
          ? <p class="font-medium text-accent">{outcome.error}</p>
          : outcome.content === null
          ? <p>{t("The bot would post nothing.")}</p>
          : (
            <>
              <p>{t("The bot would post:")}</p>
              <blockquote dir="auto" class="border-s-2 border-edge ps-3 wrap-anywhere whitespace-pre-wrap">
                {cut(outcome.content)}
              </blockquote>
            </>
          )}
      </div>
      {answer === "" && <p class="text-soft">{t("The answer is empty.")}</p>}
      {answer !== null && answer !== "" && (
        <CodeBlock
          title={isCut ? t("Answer, first {count} characters", { count: SHOWN_CHARACTERS }) : t("Answer")}
          code={cut(answer)}
        />
      )}
      <div>
        <CodeBlock title={t("Request")} code={JSON.stringify({ ...payload, token: "…" }, null, 2)} />
        <p class="mt-1 text-small text-soft">{t("The request’s token is left out here.")}</p>
      </div>
    </div>
  );
}

function cut(text: string): string {
  return text.slice(0, SHOWN_CHARACTERS).toWellFormed();
}

/** Renders code with a title; long lines wrap. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure class="grid gap-1.5">
      <figcaption class="text-small font-strong">{title}</figcaption>
      <pre class="rounded-control border border-rule bg-paper px-3 py-2 text-small wrap-anywhere whitespace-pre-wrap"><code dir="ltr">{code}</code></pre>
    </figure>
  );
}
