import type { Context } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import { deriveApiKey, regenerateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { endAllSessions, endSession } from "@/lib/chat/people/auth/sessions.ts";
import { type AccountCaller, settingsParams } from "@/lib/chat/people/user_settings/model/settings.ts";
import {
  changeFullName,
  changePassword,
  requestEmailChange,
} from "@/lib/chat/people/user_settings/change_account.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { updateSettings } from "@/lib/chat/people/user_settings/update_settings.ts";
import { API_KEY_FILE_NAME, formatApiKeyFile } from "@/lib/ui/client_programs.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { toApiEmail } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { checkPassword } from "./login_page.ts";
import { sendOn, type SignedIn, signIn } from "../api/page_session.ts";
import { clearSessionToken } from "../api/cookies.ts";
import type { State } from "../services/services.ts";
import { setTheme, toTheme } from "./theme.ts";

/** A submitted form of the account page. */
export interface AccountForm {
  readonly ctx: Context<State>;
  readonly signedIn: SignedIn;
  readonly fields: ReadonlyMap<string, string>;
}

/** Outcome that is rendered at once because it must not appear in a URL. */
export interface AccountOutcome {
  readonly shownKey: string;
  readonly text: string;
}

/** Effect of a form and the fields that its refusals belong to. */
interface AccountAction {
  /** Fields by the parameter that a refusal names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Field of any other refusal. */
  readonly field: string;
  readonly run: (form: AccountForm) => Promise<Response | AccountOutcome>;
}

/** Actions of the account page by the form's `action`. */
export const ACCOUNT_ACTIONS: ReadonlyMap<string, AccountAction> = new Map<string, AccountAction>([
  ["name", { field: "full_name", run: changeName }],
  ["email", { fields: { current_password: "current_password" }, field: "email", run: changeEmail }],
  ["password", { fields: { password: "new_password" }, field: "old_password", run: changeOwnPassword }],
  ["show_key", { field: "password", run: showKey }],
  ["rotate_key", { field: "password", run: rotateKey }],
  ["end_session", { field: "form", run: endOneSession }],
  ["end_sessions", { field: "form", run: endEverySession }],
  ["theme", { field: "form", run: chooseTheme }],
  ["timezone", { field: "form", run: chooseTimeZone }],
  ["download_key", { field: "password", run: downloadKey }],
]);

function holderOf({ ctx, signedIn }: AccountForm): AccountCaller {
  const { realm, session: { user: actingUser } } = signedIn;
  return { realm, actingUser, isSession: true, limits: ctx.state.app.limiter };
}

async function changeName(form: AccountForm): Promise<Response> {
  await changeFullName(form.ctx.state.app.chat, holderOf(form), form.fields.get("full_name") ?? "");
  return sendOn(form.ctx, "/account?done=name");
}

async function changeEmail(form: AccountForm): Promise<Response> {
  await requirePassword(form, "current_password");
  await requestEmailChange(form.ctx.state.app.chat, holderOf(form), form.fields.get("email") ?? "");
  return sendOn(form.ctx, "/account?done=email");
}

/** The change ends every session including this one, so this browser gets a new session. */
async function changeOwnPassword(form: AccountForm): Promise<Response> {
  const { chat } = form.ctx.state.app;
  const { realm, session } = form.signedIn;
  await changePassword(chat, holderOf(form), {
    oldPassword: form.fields.get("old_password"),
    newPassword: form.fields.get("new_password") ?? "",
  });
  const user = await readUser(chat, realm.id, session.user.id) ?? session.user;
  return await signIn(form.ctx, { realm, user }, "/account?done=password");
}

async function requirePassword(
  { ctx, signedIn, fields }: AccountForm,
  field = "password",
): Promise<void> {
  const { realm, session } = signedIn;
  const credentials = { username: session.user.delivery_email, password: fields.get(field) ?? "" };
  try {
    await checkPassword(ctx, realm, credentials);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { ...error.details, field });
  }
}

async function showKey(form: AccountForm): Promise<AccountOutcome> {
  await requirePassword(form);
  const { realm, session } = form.signedIn;
  const shownKey = deriveApiKey(form.ctx.state.app.chat, realm.id, session.user);
  return { shownKey, text: "Your API key is shown below." };
}

async function rotateKey(form: AccountForm): Promise<AccountOutcome> {
  await requirePassword(form);
  const { api_key } = await regenerateApiKey(form.ctx.state.app.chat, holderOf(form));
  return { shownKey: api_key, text: "API key rotated. The old key no longer works." };
}

async function endOneSession({ ctx, signedIn, fields }: AccountForm): Promise<Response> {
  const { realm, session } = signedIn;
  const id = fields.get("session_id") ?? "";
  await endSession(ctx.state.app.chat, realm, { id, userId: session.user.id });
  return sendOn(ctx, "/account?done=session");
}

async function endEverySession({ ctx, signedIn }: AccountForm): Promise<Response> {
  const { app } = ctx.state;
  await endAllSessions(app.chat, signedIn.realm, signedIn.session.user.id);
  const response = sendOn(ctx, "/login?notice=everywhere");
  clearSessionToken(response.headers, app.isHttps);
  return response;
}

function chooseTheme({ ctx, fields }: AccountForm): Promise<Response> {
  const response = sendOn(ctx, "/account?done=theme");
  setTheme(response.headers, toTheme(fields.get("theme")), ctx.state.app.isHttps);
  return Promise.resolve(response);
}

async function chooseTimeZone(form: AccountForm): Promise<Response> {
  const timezone = form.fields.get("timezone") ?? "";
  await updateSettings(
    form.ctx.state.app.chat,
    holderOf(form),
    readParams(settingsParams, new Map([["timezone", timezone]])).values,
  );
  return sendOn(form.ctx, "/account?done=timezone");
}

/** Sends the address, the key and the server's address as a file that command-line clients read. */
async function downloadKey(form: AccountForm): Promise<Response> {
  await requirePassword(form);
  const { realm, session: { user } } = form.signedIn;
  const { chat } = form.ctx.state.app;
  const file = formatApiKeyFile({
    email: toApiEmail(chat, realm, user),
    key: deriveApiKey(chat, realm.id, user),
    site: realmUrl(chat, realm),
  });
  return new Response(file, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${API_KEY_FILE_NAME}"`,
      "cache-control": "no-store, no-transform",
    },
  });
}
