import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { findUserByEmail } from "@/lib/chat/users/store.ts";
import { parseTopic } from "@/lib/chat/topics/model.ts";
import type { MessageTarget } from "../model.ts";

/** Destination parameters of a request. */
export interface RequestedTarget {
  readonly type: "stream" | "channel" | "private" | "direct";
  readonly to: number | string | readonly (number | string)[];
  readonly topic: string | undefined;
}

/**
 * Resolves the destination parameters of a request; permissions are checked when the message is sent.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function resolveTarget(
  app: ChatApp,
  realm: RealmRecord,
  requested: RequestedTarget,
): Promise<MessageTarget> {
  const { type, to, topic } = requested;
  if (type === "private" || type === "direct") {
    return { kind: "direct", userIds: await resolveRecipients(app, realm, to) };
  }
  if (topic === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'topic' argument", {
      extra: { var_name: "topic" },
    });
  }
  const [channel, ...others] = [to].flat();
  if (channel === undefined || others.length > 0) {
    throw new AppError("BAD_REQUEST", "Expected exactly one channel");
  }
  return { kind: "channel", channel, topic: parseTopic(topic) };
}

/** Resolves users; older clients send addresses as one comma-separated text. */
async function resolveRecipients(
  app: ChatApp,
  realm: RealmRecord,
  to: RequestedTarget["to"],
): Promise<number[]> {
  const idOrEmail = typeof to === "string"
    ? to.split(",").map((part) => part.trim()).filter((part) => part !== "")
    : to;
  return await Promise.all([idOrEmail].flat().map((one) => resolveUserId(app, realm, one)));
}

async function resolveUserId(app: ChatApp, realm: RealmRecord, idOrEmail: number | string): Promise<number> {
  if (typeof idOrEmail === "number") return idOrEmail;
  const user = await findUserByEmail(app, realm, idOrEmail);
  if (user === null) throw new AppError("BAD_REQUEST", `Invalid email '${idOrEmail}'`);
  return user.id;
}
