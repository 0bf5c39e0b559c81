import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { findUserByEmail } from "../users/store.ts";
import { readTopic } from "./edit_topic.ts";
import type { MessageTarget } from "./place.ts";

/** Where a message is to go, as a request says it. */
export interface WrittenTarget {
  readonly type: "stream" | "channel" | "private" | "direct";
  readonly to: number | string | readonly (number | string)[];
  readonly topic: string | undefined;
}

/**
 * Where a message is to go; whether it may is another question.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function resolveTarget(
  app: ChatApp,
  realm: RealmRecord,
  written: WrittenTarget,
): Promise<MessageTarget> {
  const { type, to, topic } = written;
  if (type === "private" || type === "direct") {
    return { kind: "direct", userIds: await resolvePeople(app, realm, to) };
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
  return { kind: "channel", channel, topic: readTopic(topic) };
}

/** Old clients write addresses as one text with commas. */
async function resolvePeople(app: ChatApp, realm: RealmRecord, to: WrittenTarget["to"]): Promise<number[]> {
  const named = typeof to === "string"
    ? to.split(",").map((part) => part.trim()).filter((part) => part !== "")
    : to;
  return await Promise.all([named].flat().map((one) => resolvePerson(app, realm, one)));
}

async function resolvePerson(app: ChatApp, realm: RealmRecord, named: number | string): Promise<number> {
  if (typeof named === "number") return named;
  const user = await findUserByEmail(app, realm, named);
  if (user === null) throw new AppError("BAD_REQUEST", `Invalid email '${named}'`);
  return user.id;
}
