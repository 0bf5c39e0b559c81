import { parseJson } from "@/lib/core/parse_json.ts";
import { PinnedPostError, postPinned } from "@/lib/core/pinned_post.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { ChatApp } from "../app.ts";
import { MAX_MESSAGE_LENGTH } from "../messages/model.ts";
import type { OutgoingWebhook } from "../users/model.ts";

/** Time for a request and its answer, in milliseconds. */
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** Maximum size of an answer, in bytes. */
const MAX_ANSWER_BYTES = 128 * 1024;
/** Statuses that a later attempt may change. */
const TEMPORARY_STATUSES = [408, 425, 429];

/** Outcome of a request to the address of a bot. */
export type WebhookOutcome =
  | {
    readonly kind: "answered";
    readonly status: number;
    /** Markdown of the message to post; null for none. */
    readonly content: string | null;
  }
  | {
    readonly kind: "failed";
    readonly status: number | null;
    readonly error: string;
    /** Whether a later attempt would fail, too. */
    readonly isPermanent: boolean;
  };

/** A request to the address of a bot. */
export interface WebhookExchange {
  readonly outcome: WebhookOutcome;
  /** Body of the answer; null without one. */
  readonly body: string | null;
}

/** Posts a payload to the address of a bot and reads the answer. Never throws. */
export async function postToWebhook(
  { config }: Pick<ChatApp, "config">,
  { payload_url }: OutgoingWebhook,
  payload: object,
): Promise<WebhookExchange> {
  try {
    const { status, text } = await postPinned(new URL(payload_url), JSON.stringify(payload), {
      allowedNetworks: config.webhookInternalNetworks,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    const isAccepted = status >= 200 && status <= 299;
    return { outcome: isAccepted ? readAnswer(status, text) : toRefusal(status), body: text };
  } catch (error) {
    const isPermanent = error instanceof PinnedPostError && error.isPermanent;
    const message = error instanceof PinnedPostError ? error.message : "The request failed.";
    return { outcome: { kind: "failed", status: null, error: message, isPermanent }, body: null };
  }
}

function toRefusal(status: number): WebhookOutcome {
  const isPermanent = status < 500 && !TEMPORARY_STATUSES.includes(status);
  return { kind: "failed", status, error: `The answer has the status ${status}.`, isPermanent };
}

function readAnswer(status: number, text: string): WebhookOutcome {
  const fail = (error: string): WebhookOutcome => ({ kind: "failed", status, error, isPermanent: true });
  if (text.trim() === "") return { kind: "answered", status, content: null };
  const body = parseJson(text);
  if (typeof body !== "object" || body === null) return fail("The answer is not a JSON object.");
  const content: unknown = Reflect.get(body, "content");
  const isSilent = Reflect.get(body, "response_not_required") === true;
  if (isSilent || content === undefined || content === null) {
    return { kind: "answered", status, content: null };
  }
  if (typeof content !== "string") return fail("The answer's content is not a text.");
  if (codePointLength(content) > MAX_MESSAGE_LENGTH) {
    return fail(`The answer's content is too long (limit: ${MAX_MESSAGE_LENGTH} characters).`);
  }
  return { kind: "answered", status, content: content.trim() === "" ? null : content };
}
