import type { ChatApp } from "../app.ts";
import { createTopicWork } from "../linkifiers/model/topic_linker.ts";
import { toMessage } from "../messages/api.ts";
import type { VisibleMessage } from "../messages/model.ts";
import { readRenderedContent } from "../messages/store.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { toApiEmail, type UserRecord } from "../users/model.ts";
import { deriveWebhookToken, type WebhookTrigger } from "./model.ts";

/** Format of the message in a payload: Markdown, and pictures with addresses. */
const FORMAT = { isRendered: false, allowsEmptyTopic: false, drawsAvatars: false };

/** A message for the address of a bot. */
export interface PostedMessage {
  readonly permissions: PermissionContext;
  readonly bot: UserRecord;
  readonly visible: VisibleMessage;
  readonly trigger: WebhookTrigger;
}

/** Returns what is posted to the address of a bot. */
export async function toWebhookPayload(app: ChatApp, { permissions, bot, visible, trigger }: PostedMessage) {
  const { realm } = permissions;
  const view = { visible, viewer: bot, format: FORMAT, topicWork: createTopicWork() };
  const [fields, rendered_content] = await Promise.all([
    toMessage(app, permissions, view),
    readRenderedContent(app, realm.id, visible.message),
  ]);
  const { flags: _flags, content_type: _type, edit_history: _history, ...message } = {
    edit_history: undefined,
    ...fields,
  };
  return {
    bot_email: toApiEmail(app, realm, bot),
    bot_full_name: bot.full_name,
    data: visible.message.content,
    message: { ...message, rendered_content },
    token: deriveWebhookToken(app, realm.id, bot),
    trigger,
  };
}
