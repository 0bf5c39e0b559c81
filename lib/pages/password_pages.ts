import type { Context } from "fresh";
import { isValidResetToken, resetPassword, startPasswordReset } from "@/lib/chat/auth/reset_password.ts";
import { requireEmail } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { STATUS } from "../api/envelope.ts";
import type { FormProblems } from "./form_problems.ts";
import { getPageRealm, pageClientAddress, readRealmForm, sendOn } from "../api/page_session.ts";
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
export async function submitForgotPassword(
  ctx: Context<State>,
): Promise<{ readonly data: ForgotPasswordData; readonly status: number }> {
  const { app } = ctx.state;
  const realm = await getPageRealm(ctx);
  const email = (await readRealmForm(ctx, realm)).get("email") ?? "";
  try {
    const address = requireEmail(email);
    await app.limiter?.consume("mail_address", pageClientAddress(ctx));
    await startPasswordReset(app.chat, realm, address);
    return { data: { form: { email }, isSent: true, problem: null }, status: 200 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { data: { form: { email }, isSent: false, problem: error.message }, status: STATUS[error.code] };
  }
}

/** Loads the form behind a reset link. */
export async function loadResetPassword(ctx: Context<State>): Promise<ResetPasswordData> {
  const linkKey = ctx.params["key"] ?? "";
  const realm = await getPageRealm(ctx);
  return await isValidResetToken(ctx.state.app.chat, realm, linkKey) ? { linkKey, problems: {} } : null;
}

/** Sets the password and redirects to the sign-in page; on a problem, returns the form with it. */
export async function submitResetPassword(ctx: Context<State>): Promise<Response | ResetPasswordData> {
  const realm = await getPageRealm(ctx);
  const token = ctx.params["key"] ?? "";
  const password = (await readRealmForm(ctx, realm)).get("new_password") ?? "";
  try {
    await resetPassword(ctx.state.app.chat, realm, { token, password });
    return sendOn(ctx, "/login?notice=reset");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "GONE") return null;
    return { linkKey: token, problems: { new_password: error.message } };
  }
}
