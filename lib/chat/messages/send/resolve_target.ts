import { AppError } from "@/lib/core/errors.ts";
import { splitList } from "@/lib/core/text.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { parseTopic } from "@/lib/chat/topics/model.ts";
import type { MessageTarget } from "../model.ts";
import { resolveRecipients } from "./resolve_recipients.ts";

/** Destination parameters of a request. */
export interface RequestedTarget {
  readonly type: "stream" | "channel" | "private" | "direct";
  readonly to: number | string | readonly (number | string)[];
  readonly topic: string | undefined;
}

/**
 * Resolves the destination parameters of a request; permissions for channels are checked when the message
 * is sent.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function resolveTarget(
  app: ChatApp,
  sender: Caller,
  requested: RequestedTarget,
): Promise<MessageTarget> {
  const { type, to, topic } = requested;
  if (type === "private" || type === "direct") {
    const users = await resolveRecipients(app, sender, listNames(to));
    return { kind: "direct", userIds: users.map(({ id }) => id) };
  }
  if (topic === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'topic' argument", {
      field: "topic",
      extra: { var_name: "topic" },
    });
  }
  const [channel, ...others] = [to].flat();
  if (channel === undefined || others.length > 0) {
    throw new AppError("BAD_REQUEST", "Expected exactly one channel", { field: "to" });
  }
  return { kind: "channel", channel, topic: parseTopic(topic) };
}

/** Splits the addresses that older clients send as one comma-separated text. */
function listNames(to: RequestedTarget["to"]): readonly (number | string)[] {
  return typeof to === "string" ? splitList(to) : [to].flat();
}
