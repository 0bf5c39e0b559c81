import type { Context } from "fresh";
import { createRealm, type MadeRealm, requireRealmName } from "@/lib/chat/organizations/create.ts";
import { claimSetup, isSetupToken } from "@/lib/chat/sessions/setup.ts";
import { requireEmail } from "@/lib/chat/users/email.ts";
import { requireFullName } from "@/lib/chat/users/full_name.ts";
import { requireStrongPassword } from "@/lib/chat/users/password_policy.ts";
import { AppError } from "@/lib/core/errors.ts";
import { findProblems, type FormProblems } from "./form_problems.ts";
import { readOwnForm, signIn } from "./page_session.ts";
import type { State } from "./services.ts";

/** What the set-up page shows; null where its link no longer opens. */
export type SetupData = {
  readonly baseUrl: string;
  readonly token: string;
  readonly form: { readonly organization: string; readonly fullName: string; readonly email: string };
  readonly problems: FormProblems;
} | null;

/** The empty form, for whoever holds the link. */
export async function loadSetup(ctx: Context<State>): Promise<SetupData> {
  const { chat } = ctx.state.app;
  const token = ctx.url.searchParams.get("token") ?? "";
  if (!await isSetupToken(chat, token)) return null;
  const form = { organization: "", fullName: "", email: "" };
  return { baseUrl: chat.config.baseUrl, token, form, problems: {} };
}

/** Makes the organization and signs its owner in; or gives the form again with what is wrong. */
export async function submitSetup(ctx: Context<State>): Promise<Response | SetupData> {
  const { chat } = ctx.state.app;
  const fields = await readOwnForm(ctx);
  const token = fields.get("token") ?? "";
  if (!await isSetupToken(chat, token)) return null;
  const form = {
    organization: fields.get("organization") ?? "",
    fullName: fields.get("full_name") ?? "",
    email: fields.get("email") ?? "",
  };
  const password = fields.get("password") ?? "";
  const problems = await findProblems({
    organization: () => requireRealmName(form.organization),
    full_name: () => requireFullName(form.fullName),
    email: () => requireEmail(form.email),
    password: () => requireStrongPassword(password, [form.organization, form.fullName, form.email]),
  });
  if (Object.keys(problems).length > 0) return { baseUrl: chat.config.baseUrl, token, form, problems };
  const made = await createFirst(ctx, { token, form, password });
  return made === null ? null : await signIn(ctx, { realm: made.realm, user: made.owner }, "/account");
}

type SetupForm = NonNullable<SetupData>["form"];

/** Null when somebody else was first. */
async function createFirst(
  { state }: Context<State>,
  { token, form, password }: { token: string; form: SetupForm; password: string },
): Promise<MadeRealm | null> {
  const wanted = {
    name: form.organization,
    subdomain: "",
    ownerEmail: form.email,
    ownerName: form.fullName,
    ownerPassword: password,
  };
  try {
    return await createRealm(state.app.chat, wanted, (tx) => claimSetup(tx, token));
  } catch (error) {
    if (error instanceof AppError && error.code === "GONE") return null;
    throw error;
  }
}
