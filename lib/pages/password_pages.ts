import type { Context } from "fresh";
import {
  type PasswordLink,
  readPasswordLink,
  resetPassword,
  startPasswordReset,
} from "@/lib/chat/people/auth/reset_password.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { requireEmail } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { withPasswordTurn } from "@/lib/chat/people/auth/passwords.ts";
import {
  type FormProblems,
  type PageOutcome,
  refusalOf,
  refusedPage,
  toPageProblem,
} from "./form_problems.ts";
import { getPageRealm, pageClientGroup, readRealmForm, sendOn, signIn } from "../api/page_session.ts";
import { AFTER_JOINING } from "./join_pages.ts";
import { consumeMail, consumeMailedLink, requireMailLeft } from "./sign_in_limit.ts";
import type { State } from "../services/services.ts";
import { confirmEmailChange, peekEmailChange } from "@/lib/chat/people/user_settings/change_account.ts";

/** Data of the page for a forgotten password. */
export interface ForgotPasswordData {
  readonly form: { readonly email: string };
  readonly isSent: boolean;
  readonly problem: string | null;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
}

/** Data of the page for a new password; null when its link no longer works. */
export type ResetPasswordData = {
  readonly linkKey: string;
  /** Account that a sign-in link is for; null for a link that its user requested. */
  readonly signIn: SignInSubject | null;
  readonly problems: FormProblems;
} | null;

/** Account that a sign-in link is for. */
export interface SignInSubject {
  readonly organization: string;
  readonly name: string;
  readonly email: string;
  /** Whether the account has no password yet. */
  readonly isFirst: boolean;
}

/** Returns the empty form. */
export function loadForgotPassword({ state }: Context<State>): ForgotPasswordData {
  return { form: { email: "" }, isSent: false, problem: null, hasMail: state.app.config.isMailDelivered };
}

/** Mails a reset link. The response is the same whether or not the account exists. */
export async function submitForgotPassword(ctx: Context<State>): Promise<PageOutcome<ForgotPasswordData>> {
  const { app } = ctx.state;
  const realm = await getPageRealm(ctx);
  // Before the body is read, so that a client beyond its limit costs little.
  const limit = await refusalOf(() => requireMailLeft(ctx, "mail_address"));
  const empty = loadForgotPassword(ctx);
  if (limit !== null) return refusedPage({ ...empty, problem: limit.message }, limit);
  const email = (await readRealmForm(ctx, realm)).get("email") ?? "";
  const refusal = await refusalOf(async () => {
    const address = requireEmail(email);
    await consumeMail(ctx, "mail_address", address);
    await startPasswordReset(app.chat, realm, address);
  });
  const problem = refusal?.message ?? null;
  const data = { ...empty, form: { email }, isSent: refusal === null, problem };
  return refusal === null ? { data, status: 200 } : refusedPage(data, refusal);
}

/** Loads the form behind a link that sets a password. */
export async function loadResetPassword(ctx: Context<State>): Promise<ResetPasswordData> {
  await consumeMailedLink(ctx);
  return await showForm(ctx, await getPageRealm(ctx), {});
}

/**
 * Sets the password and redirects to the sign-in page, or signs in with a sign-in link; on a problem, returns the
 * form with it.
 */
export async function submitResetPassword(ctx: Context<State>): Promise<Response | ResetPasswordData> {
  await consumeMailedLink(ctx);
  const realm = await getPageRealm(ctx);
  const token = ctx.params["key"] ?? "";
  const password = (await readRealmForm(ctx, realm)).get("new_password") ?? "";
  try {
    const { chat } = ctx.state.app;
    const reset = () => resetPassword(chat, realm, { token, password });
    const { link, user } = await withPasswordTurn(chat, pageClientGroup(ctx), reset);
    if (!link.isSignIn) return sendOn(ctx, "/login?notice=reset");
    const isFirst = link.user.password_hash === null;
    return await signIn(ctx, { realm, user }, isFirst ? AFTER_JOINING : "/account");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "GONE") return null;
    if (error.code === "UNAVAILABLE") throw error;
    return await showForm(ctx, realm, { new_password: toPageProblem(error) });
  }
}

async function showForm(
  ctx: Context<State>,
  realm: RealmRecord,
  problems: FormProblems,
): Promise<ResetPasswordData> {
  const linkKey = ctx.params["key"] ?? "";
  const link = await readPasswordLink(ctx.state.app.chat, realm, linkKey);
  return link === null ? null : { linkKey, signIn: toSignIn(realm, link), problems };
}

function toSignIn(
  { name: organization }: RealmRecord,
  { user, isSignIn }: PasswordLink,
): SignInSubject | null {
  const { full_name: name, delivery_email: email, password_hash } = user;
  return isSignIn ? { organization, name, email, isFirst: password_hash === null } : null;
}

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
