import type { Context } from "fresh";
import { isValidResetToken, resetPassword, startPasswordReset } from "@/lib/chat/auth/reset_password.ts";
import { requireEmail } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { withPasswordTurn } from "@/lib/chat/auth/password_turn.ts";
import { type FormProblems, refusalOf } from "./form_problems.ts";
import { getPageRealm, pageClientGroup, readRealmForm, sendOn } from "../api/page_session.ts";
import { consumeMail, consumeMailedLink, requireMailLeft } from "./mail_limits.ts";
import { type PageOutcome, refusedPage } from "./page_outcome.ts";
import { toPageProblem } from "./page_problem.ts";
import type { State } from "../services/services.ts";

/** Data of the page for a forgotten password. */
export interface ForgotPasswordData {
  readonly form: { readonly email: string };
  readonly isSent: boolean;
  readonly problem: string | null;
}

/** Data of the page for a new password; null when its link no longer works. */
export type ResetPasswordData = { readonly linkKey: string; readonly problems: FormProblems } | null;

/** The empty form. */
export const EMPTY_FORGOT_PASSWORD: ForgotPasswordData = {
  form: { email: "" },
  isSent: false,
  problem: null,
};

/** Mails a reset link. The response is the same whether or not the account exists. */
export async function submitForgotPassword(ctx: Context<State>): Promise<PageOutcome<ForgotPasswordData>> {
  const { app } = ctx.state;
  const realm = await getPageRealm(ctx);
  // Before the body is read, so that a client beyond its limit costs little.
  const limit = await refusalOf(() => requireMailLeft(ctx, "mail_address"));
  if (limit !== null) return refusedPage({ ...EMPTY_FORGOT_PASSWORD, problem: limit.message }, limit);
  const email = (await readRealmForm(ctx, realm)).get("email") ?? "";
  const refusal = await refusalOf(async () => {
    const address = requireEmail(email);
    await consumeMail(ctx, "mail_address", address);
    await startPasswordReset(app.chat, realm, address);
  });
  const data = { form: { email }, isSent: refusal === null, problem: refusal?.message ?? null };
  return refusal === null ? { data, status: 200 } : refusedPage(data, refusal);
}

/** Loads the form behind a reset link. */
export async function loadResetPassword(ctx: Context<State>): Promise<ResetPasswordData> {
  await consumeMailedLink(ctx);
  const linkKey = ctx.params["key"] ?? "";
  const realm = await getPageRealm(ctx);
  return await isValidResetToken(ctx.state.app.chat, realm, linkKey) ? { linkKey, problems: {} } : null;
}

/** Sets the password and redirects to the sign-in page; on a problem, returns the form with it. */
export async function submitResetPassword(ctx: Context<State>): Promise<Response | ResetPasswordData> {
  await consumeMailedLink(ctx);
  const realm = await getPageRealm(ctx);
  const token = ctx.params["key"] ?? "";
  const password = (await readRealmForm(ctx, realm)).get("new_password") ?? "";
  try {
    const { chat } = ctx.state.app;
    await withPasswordTurn(chat, pageClientGroup(ctx), () => resetPassword(chat, realm, { token, password }));
    return sendOn(ctx, "/login?notice=reset");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "GONE") return null;
    if (error.code === "UNAVAILABLE") throw error;
    return { linkKey: token, problems: { new_password: toPageProblem(error) } };
  }
}
