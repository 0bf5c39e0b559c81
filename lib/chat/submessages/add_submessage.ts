import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { getEditableMessage } from "../messages/edit_rules.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { applyParticipationPolicy } from "../topics/automatic_policy.ts";
import type { Caller } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { sendSubmessageEvent } from "./events.ts";
import { parseWidgetChange } from "./model/widget_change.ts";
import { appendSubmessage } from "./store.ts";

/**
 * Changes a poll or a to-do list that the caller can see: a vote, an option, a task and the like.
 * @throws AppError BAD_REQUEST for a message that the caller cannot see or that is no widget, for an invalid
 * change, and when the message has too many.
 */
export async function addSubmessage(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { messageId, content }: { messageId: number; content: string },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const user = await getActingUser(tx, realm.id, actingUser);
    const permissions = await readPermissionContext(app, tx, realm.id);
    const { message, location } = await getEditableMessage(tx, permissions, { id: messageId, user });
    const { widget_type: widgetType } = message;
    if (widgetType === undefined) {
      throw new AppError("BAD_REQUEST", "You cannot attach a submessage to this message.");
    }
    const isAuthor = message.sender_id === user.id;
    const stored = { sender_id: user.id, content: parseWidgetChange(content, { widgetType, isAuthor }) };
    const id = await appendSubmessage(tx, { realmId: realm.id, messageId }, stored);
    sendSubmessageEvent(tx, permissions, {
      submessage: { id, message_id: messageId, msg_type: "widget", ...stored },
      audience: location.kind === "channel"
        ? { channel: location.channel.id }
        : location.conversation.user_ids,
    });
    await applyParticipationPolicy(app, tx, { permissions, user, message });
  }, `submessages ${realm.id} ${messageId}`);
}
