import { withPasswordTurn } from "@/lib/chat/people/auth/passwords.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { foldEmail, mailboxOf } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toAddressGroup } from "../services/client_address.ts";
import type { Services, State } from "../services/services.ts";
import type { Context } from "fresh";
import { pageClientAddress } from "../api/page_session.ts";

/**
 * Length of the user name under which failures are counted, in characters; no account's address is longer.
 */
const MAX_NAME = 254;

/** Services that attempts to sign in are limited with. */
type LimitServices = Pick<Services, "limiter" | "chat">;

/** An attempt to sign in. */
interface SignInAttempt {
  readonly realm: RealmRecord;
  readonly username: string;
  readonly clientAddress: string;
}

/**
 * Requires that an address has not used up its failed attempts to sign in.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function requireSignInLeft(
  { limiter }: Pick<Services, "limiter">,
  clientAddress: string,
): Promise<void> {
  await limiter?.requireLeft("sign_in_address", toAddressGroup(clientAddress));
}

/**
 * Runs an attempt to sign in unless too many failed before, for this account from this address or for this
 * address at all. Failures of others never lock an account's owner out, because they count for other
 * addresses; a success resets the account's failures.
 * @throws AppError RATE_LIMIT_HIT, UNAVAILABLE when too many attempts of this address wait, and whatever `work`
 * throws.
 */
export async function withSignInLimit<T>(
  { limiter, chat }: LimitServices,
  { realm, username, clientAddress }: SignInAttempt,
  work: () => Promise<T>,
): Promise<T> {
  const address = toAddressGroup(clientAddress);
  const account = `${realm.id} ${foldEmail(username).slice(0, MAX_NAME)} ${address}`;
  // One at a time: parallel attempts would all start before the first has failed.
  return await withPasswordTurn(chat, address, async () => {
    await limiter?.requireLeft("sign_in", account);
    await limiter?.requireLeft("sign_in_address", address);
    try {
      const result = await work();
      await limiter?.forget("sign_in", account);
      return result;
    } catch (error) {
      if (error instanceof AppError && error.code === "AUTHENTICATION_FAILED") {
        await limiter?.consume("sign_in", account);
        await limiter?.consume("sign_in_address", address);
      }
      throw error;
    }
  });
}

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
