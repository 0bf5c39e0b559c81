import type { Context } from "fresh";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type CreatedRealm, createRealm } from "@/lib/chat/people/users/create_realm.ts";
import { requireRealmName } from "@/lib/chat/organization/organizations/model.ts";
import { consumeSetupToken, hasRealm, isValidSetupToken } from "@/lib/chat/people/auth/confirmations.ts";
import { requireEmail, requireFullName } from "@/lib/chat/organization/users/model.ts";
import { requireStrongPassword, withPasswordTurn } from "@/lib/chat/people/auth/passwords.ts";
import { AppError } from "@/lib/core/errors.ts";
import { findProblems, type FormProblems } from "./form_problems.ts";
import { pageClientGroup, readOwnForm, signIn } from "../api/page_session.ts";
import { consumeMailedLink } from "./sign_in_limit.ts";
import type { State } from "../services/services.ts";

/** Data of the setup form. */
export interface SetupData {
  readonly baseUrl: string;
  readonly token: string;
  readonly form: { readonly organization: string; readonly fullName: string; readonly email: string };
  readonly problems: FormProblems;
}

/** Data of the page of a link that does not work. */
export interface SetupClosed {
  /** Whether the server has its organization. */
  readonly isSetUp: boolean;
}

/** Loads the empty form for the holder of the setup link. */
export async function loadSetup(ctx: Context<State>): Promise<SetupData | SetupClosed> {
  const { chat } = ctx.state.app;
  await consumeMailedLink(ctx);
  const token = ctx.url.searchParams.get("token") ?? "";
  if (!await isValidSetupToken(chat, token)) return await toClosed(chat);
  const form = { organization: "", fullName: "", email: "" };
  return { baseUrl: chat.config.baseUrl, token, form, problems: {} };
}

/** Creates the organization and signs its owner in; on a problem, returns the form with it. */
export async function submitSetup(ctx: Context<State>): Promise<Response | SetupData | SetupClosed> {
  const { chat } = ctx.state.app;
  await consumeMailedLink(ctx);
  const fields = await readOwnForm(ctx);
  const token = fields.get("token") ?? "";
  if (!await isValidSetupToken(chat, token)) return await toClosed(chat);
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
  if (made === null) return await toClosed(chat);
  return await signIn(ctx, { realm: made.realm, user: made.owner }, "/admin");
}

async function toClosed(chat: ChatApp): Promise<SetupClosed> {
  return { isSetUp: await hasRealm(chat) };
}

/** Returns null when another request created it first. */
async function createFirst(
  ctx: Context<State>,
  { token, form, password }: { token: string; form: SetupData["form"]; password: string },
): Promise<CreatedRealm | null> {
  const wanted = {
    name: form.organization,
    subdomain: "",
    ownerEmail: form.email,
    ownerName: form.fullName,
    ownerPassword: password,
  };
  const { chat } = ctx.state.app;
  const create = () => createRealm(chat, wanted, (tx) => consumeSetupToken(tx, token));
  try {
    return await withPasswordTurn(chat, pageClientGroup(ctx), create);
  } catch (error) {
    if (error instanceof AppError && error.code === "GONE") return null;
    throw error;
  }
}
