import { afterCommit } from "@/lib/store/durably.ts";
import type { ChatApp, Notice } from "../organization/app.ts";
import type { RealmRecord } from "../organization/organizations/model.ts";
import { getNotificationBot } from "../people/put_user.ts";
import { changeFlags } from "./change_flags.ts";
import { prepareContent } from "./prepare_content.ts";
import { type OutgoingMessage, sendMessage } from "./send_message.ts";

/** A notice, and what its commit checks or writes besides. */
type OutgoingNotice = Notice & Pick<OutgoingMessage, "claim">;

/**
 * Sends a message as the notification bot; returns its id, or null if sending failed: the cause is not rolled
 * back.
 */
export async function sendNotice(
  app: ChatApp,
  realm: RealmRecord,
  notice: OutgoingNotice,
): Promise<number | null> {
  const id = await afterCommit(() => postNotice(app, realm, notice));
  const { readBy } = notice;
  if (id !== null && readBy !== undefined) {
    const flags = { ids: [id], change: { flag: "read", op: "add" } } as const;
    await afterCommit(() => changeFlags(app, { realm, actingUser: readBy }, flags));
  }
  return id;
}

/**
 * Sends a message as the notification bot, which is the action itself, and returns its id.
 * @throws AppError as `sendMessage`.
 */
export async function postNotice(
  app: ChatApp,
  realm: RealmRecord,
  { target, text, claim }: OutgoingNotice,
): Promise<number> {
  const bot = await getNotificationBot(app, realm);
  const prepared = await prepareContent(app, { realm, author: bot }, text);
  const outgoing = { realm, sender: bot, target, prepared, client: "Internal", claim };
  return (await sendMessage(app, outgoing)).id;
}
