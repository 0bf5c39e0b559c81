import type { Context } from "fresh";
import { confirmEmailChange, peekEmailChange } from "@/lib/chat/user_settings/change_account.ts";
import { getPageRealm, readRealmForm } from "../api/page_session.ts";
import { consumeMailedLink } from "./mail_limits.ts";
import type { PageOutcome } from "./page_outcome.ts";
import type { State } from "../services/services.ts";

/** Data of the page behind the link that confirms an address; the address is null for an invalid link. */
export interface ConfirmEmailData {
  readonly address: string | null;
  readonly isConfirmed: boolean;
}

/** Loads the page with the button; changes nothing, because mail scanners open links as well. */
export async function loadConfirmEmail(ctx: Context<State>): Promise<PageOutcome<ConfirmEmailData>> {
  await consumeMailedLink(ctx);
  const realm = await getPageRealm(ctx);
  const address = await peekEmailChange(ctx.state.app.chat, realm, ctx.params["key"] ?? "");
  return { data: { address, isConfirmed: false }, status: address === null ? 404 : 200 };
}

/** Changes the address of the account. */
export async function submitConfirmEmail(ctx: Context<State>): Promise<PageOutcome<ConfirmEmailData>> {
  await consumeMailedLink(ctx);
  const realm = await getPageRealm(ctx);
  await readRealmForm(ctx, realm);
  const address = await confirmEmailChange(ctx.state.app.chat, realm, ctx.params["key"] ?? "");
  return { data: { address, isConfirmed: address !== null }, status: address === null ? 404 : 200 };
}
