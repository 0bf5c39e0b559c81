import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getChannel } from "./get_channel.ts";

/**
 * Refuses to return the email address of a channel: this server sends mail and receives none.
 * @throws AppError BAD_REQUEST; without metadata access, the same as for a channel that does not exist.
 */
export async function getEmailAddress(app: ChatApp, caller: Caller, channelId: number): Promise<never> {
  await getChannel(app, caller, channelId);
  throw new AppError("BAD_REQUEST", "Channels have no email addresses: this server does not receive email.");
}
