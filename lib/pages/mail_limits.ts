import type { Context } from "fresh";
import { mailboxOf } from "@/lib/chat/users/model.ts";
import { pageClientAddress } from "../api/page_session.ts";
import type { State } from "../services/services.ts";

/**
 * Counts a link from a mail that is opened or used, whether it is valid or not, so that links cannot be guessed.
 * @throws AppError RATE_LIMIT_HIT for too many links from one address.
 */
export async function consumeMailedLink(ctx: Context<State>): Promise<void> {
  await ctx.state.app.limiter?.consume("mailed_link", pageClientAddress(ctx));
}

/**
 * Counts a mail that a client without an account requests, for the client's address and then for the mailbox. The
 * mailbox counts whether or not it has an account, so a refusal does not reveal that.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function consumeMail(
  ctx: Context<State>,
  limit: "mail_address" | "join_mail",
  recipient: string,
): Promise<void> {
  const { limiter } = ctx.state.app;
  await limiter?.consume(limit, pageClientAddress(ctx));
  await limiter?.consume("mail_recipient", mailboxOf(recipient));
}

/**
 * Requires that an address may request more mails, before its form is read.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function requireMailLeft(
  ctx: Context<State>,
  limit: "mail_address" | "join_mail",
): Promise<void> {
  await ctx.state.app.limiter?.requireLeft(limit, pageClientAddress(ctx));
}

/**
 * Counts an attempt to join by a reusable link without a confirmed address, for the client's address and then for
 * the link, which the text names.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function consumeJoinAttempt(ctx: Context<State>, link: string): Promise<void> {
  const { limiter } = ctx.state.app;
  await limiter?.consume("join_client", pageClientAddress(ctx));
  await limiter?.consume("join_link", link);
}
