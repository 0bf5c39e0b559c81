import type { Context } from "fresh";
import { acceptInvite } from "@/lib/chat/invites/join/accept_invite.ts";
import {
  resolveInvite,
  type UnusableInvite,
  type UsableInvite,
  type UsableInviteLink,
} from "@/lib/chat/invites/join/resolve_invite.ts";
import { requestJoinLink, requireJoinableAddress } from "@/lib/chat/invites/join/request_join_link.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { requireFullName } from "@/lib/chat/users/model.ts";
import { requireStrongPassword } from "@/lib/chat/auth/password_policy.ts";
import { AppError } from "@/lib/core/errors.ts";
import { withPasswordTurn } from "@/lib/chat/auth/password_turn.ts";
import { findProblems, type FormProblems } from "./form_problems.ts";
import {
  getPageRealm,
  pageClientAddress,
  pageClientGroup,
  readRealmForm,
  readSignedIn,
  signIn,
} from "../api/page_session.ts";
import { consumeMail } from "./mail_limits.ts";
import { type PageOutcome, refusedPage } from "./page_outcome.ts";
import type { State } from "../services/services.ts";

/** Inviter, organization and role of an invitation. */
interface Invited {
  readonly organization: string;
  readonly inviter: string;
  readonly role: number;
}

/** Data of the page behind a join link. */
export type JoinData =
  /** The account form for a confirmed address. */
  | (Invited & {
    readonly kind: "account";
    readonly email: string;
    readonly form: { readonly fullName: string };
    readonly problems: FormProblems;
  })
  /** The form of a reusable link, for an address that is yet to be confirmed. */
  | (Invited & {
    readonly kind: "address";
    readonly form: { readonly email: string };
    readonly problems: FormProblems;
  })
  | { readonly kind: "sent"; readonly organization: string; readonly email: string }
  | { readonly kind: "member"; readonly organization: string; readonly isSignedIn: boolean }
  | {
    readonly kind: "dead";
    readonly organization: string;
    readonly reason: Extract<UnusableInvite, { kind: "dead" }>["reason"];
  };

/** Page data and response status. */
export type JoinPageOutcome = PageOutcome<JoinData>;

/** Loads the page of a join link; the link stays usable. */
export async function loadJoin(ctx: Context<State>): Promise<JoinPageOutcome> {
  const realm = await getPageRealm(ctx);
  const opened = await openHere(ctx, realm);
  return "data" in opened ? opened : { data: toForm(opened), status: 200 };
}

/**
 * Creates the account and signs it in, or mails a confirmation link to the submitted address; on a problem,
 * returns the form with it.
 */
export async function submitJoin(ctx: Context<State>): Promise<Response | JoinPageOutcome> {
  const realm = await getPageRealm(ctx);
  const opened = await openHere(ctx, realm);
  if ("data" in opened) return opened;
  const fields = await readRealmForm(ctx, realm);
  return opened.kind === "link"
    ? await submitAddress(ctx, { realm, opened, fields })
    : await submitAccount(ctx, { realm, opened, fields });
}

interface Submitted<Opened> {
  readonly realm: RealmRecord;
  readonly opened: Opened;
  readonly fields: ReadonlyMap<string, string>;
}

async function submitAccount(
  ctx: Context<State>,
  { realm, opened, fields }: Submitted<UsableInvite>,
): Promise<Response | JoinPageOutcome> {
  const form = { fullName: fields.get("full_name") ?? "" };
  const password = fields.get("password") ?? "";
  const { email } = opened.invite;
  const problems = await findProblems({
    full_name: () => requireFullName(form.fullName),
    password: () => requireStrongPassword(password, [email, form.fullName, realm.name]),
  });
  if (Object.keys(problems).length > 0) {
    return { data: { ...toInvited(opened), kind: "account", email, form, problems }, status: 400 };
  }
  const fullName = requireFullName(form.fullName);
  const { chat } = ctx.state.app;
  const acceptance = { token: keyOf(ctx), fullName, password };
  const accept = () => acceptInvite(chat, realm, acceptance);
  const outcome = await withPasswordTurn(chat, pageClientGroup(ctx), accept);
  if (outcome.kind !== "joined") return toClosed(realm, outcome);
  return await signIn(ctx, { realm, user: outcome.user }, "/account");
}

async function submitAddress(
  ctx: Context<State>,
  { realm, opened, fields }: Submitted<UsableInviteLink>,
): Promise<JoinPageOutcome> {
  const { app } = ctx.state;
  const form = { email: fields.get("email") ?? "" };
  try {
    const address = await requireJoinableAddress(app.chat, opened.permissions.realm, form.email);
    await consumeMail(ctx, "join_mail", address);
    const outcome = await requestJoinLink(app.chat, realm, { token: keyOf(ctx), address });
    if (outcome.kind !== "sent") return toClosed(realm, outcome);
    return { data: { kind: "sent", organization: realm.name, email: address }, status: 200 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = { email: error.message };
    return refusedPage({ ...toInvited(opened), kind: "address", form, problems }, error);
  }
}

/**
 * Opens a join link, or returns the page of a link that cannot be opened.
 * @throws AppError RATE_LIMIT_HIT for too many links from one address, which prevents guessing.
 */
async function openHere(
  ctx: Context<State>,
  realm: RealmRecord,
): Promise<UsableInvite | UsableInviteLink | JoinPageOutcome> {
  const { app } = ctx.state;
  await app.limiter?.consume("join", pageClientAddress(ctx));
  const opened = await resolveInvite(app.chat, realm, keyOf(ctx));
  if (opened.kind === "dead" || opened.kind === "member") return toClosed(realm, opened);
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return opened;
  return { data: { kind: "member", organization: realm.name, isSignedIn: true }, status: 200 };
}

function toClosed({ name }: RealmRecord, closed: UnusableInvite): JoinPageOutcome {
  const { kind } = closed;
  if (kind === "dead") return { data: { kind, organization: name, reason: closed.reason }, status: 404 };
  return { data: { kind, organization: name, isSignedIn: false }, status: 200 };
}

function toForm(opened: UsableInvite | UsableInviteLink): JoinData {
  const invited = { ...toInvited(opened), problems: {} };
  if (opened.kind === "link") return { ...invited, kind: "address", form: { email: "" } };
  const { email, suggested_name } = opened.invite;
  return { ...invited, kind: "account", email, form: { fullName: suggested_name } };
}

function toInvited({ permissions, offer, inviter }: UsableInvite | UsableInviteLink): Invited {
  return { organization: permissions.realm.name, inviter: inviter.full_name, role: offer.role };
}

function keyOf({ params }: Context<State>): string {
  return params["key"] ?? "";
}
