import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { type PreparedContent, prepareUserContent } from "../messages/prepare_content.ts";
import { resolveTarget } from "../messages/recipient.ts";
import { requireMessageContent } from "../messages/send_message.ts";
import type { RequestedMessage } from "./api.ts";
import type { ScheduledMessageOwner, ScheduledTarget } from "./model.ts";

/**
 * Resolves the destination of a message to schedule.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function resolveScheduledTarget(
  app: ChatApp,
  { realm, user }: ScheduledMessageOwner,
  requested: Pick<RequestedMessage, "type" | "to" | "topic">,
): Promise<ScheduledTarget> {
  const target = await resolveTarget(app, { realm, actingUser: user }, requested);
  if (target.kind === "direct") return { kind: "direct", userIds: [...new Set(target.userIds)] };
  const { channel, topic } = target;
  if (typeof channel !== "number") throw new AppError("BAD_REQUEST", "Invalid data type for channel ID");
  return { kind: "channel", channel, topic };
}

/**
 * Renders the content of a message to schedule.
 * @throws AppError BAD_REQUEST for empty content, and for groups that the author cannot mention.
 */
export async function prepareScheduledContent(
  app: ChatApp,
  { realm, user }: ScheduledMessageOwner,
  text: string,
): Promise<PreparedContent> {
  return await prepareUserContent(app, { realm, author: user }, requireMessageContent(text));
}
