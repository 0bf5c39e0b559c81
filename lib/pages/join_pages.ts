import type { Context } from "fresh";
import {
  acceptInvite,
  addressTaken,
  requestJoinLink,
  requireJoinableAddress,
} from "@/lib/chat/joining/invites/accept_invite.ts";
import {
  resolveInvite,
  type UnusableInvite,
  type UsableInvite,
  type UsableInviteLink,
} from "@/lib/chat/joining/invites/resolve_invite.ts";
import { getLinkJoining, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { requireFullName, userKeys } from "@/lib/chat/organization/users/model.ts";
import { requireStrongPassword, withPasswordTurn } from "@/lib/chat/people/auth/passwords.ts";
import { AppError } from "@/lib/core/errors.ts";
import { findProblems, type FormProblems, type PageOutcome, refusedPage } from "./form_problems.ts";
import {
  getPageRealm,
  pageClientAddress,
  pageClientGroup,
  readRealmForm,
  readSignedIn,
  signIn,
} from "../api/page_session.ts";
import { consumeJoinAttempt, consumeMail } from "./sign_in_limit.ts";
import type { State } from "../services/services.ts";

/** Inviter, organization and role of an invitation. */
interface Invited {
  readonly organization: string;
  readonly icon: RealmRecord["icon"];
  readonly inviter: string;
  readonly role: number;
}

export type JoinData =
  /** The account form: for a confirmed address, or of a reusable link that needs none. */
  | (Invited & {
    readonly kind: "account";
    /** Invited address; null for a reusable link, whose form asks for it. */
    readonly email: string | null;
    readonly form: { readonly fullName: string; readonly email: string };
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
    readonly reason: Extract<UnusableInvite, { kind: "dead" }>["reason"] | "no_mail";
  };

/** Page data and response status. */
type JoinPageOutcome = PageOutcome<JoinData>;

/** Loads the page of a join link; the link stays usable. */
export async function loadJoin(ctx: Context<State>): Promise<JoinPageOutcome> {
  const realm = await getPageRealm(ctx);
  const opened = await openHere(ctx, realm);
  return "data" in opened ? opened : { data: toForm(ctx, opened), status: 200 };
}

/** Page after joining. */
export const AFTER_JOINING = "/connect?joined=1";

/**
 * Creates the account and signs it in, or mails a confirmation link to the submitted address; on a problem,
 * returns the form with it.
 */
export async function submitJoin(ctx: Context<State>): Promise<Response | JoinPageOutcome> {
  const realm = await getPageRealm(ctx);
  const opened = await openHere(ctx, realm);
  if ("data" in opened) return opened;
  const fields = await readRealmForm(ctx, realm);
  return opened.kind === "link" && isConfirmed(ctx, opened)
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
  { realm, opened, fields }: Submitted<UsableInvite | UsableInviteLink>,
): Promise<Response | JoinPageOutcome> {
  const { chat } = ctx.state.app;
  const email = opened.kind === "link" ? null : opened.invite.email;
  const form = { fullName: fields.get("full_name") ?? "", email: fields.get("email") ?? "" };
  const password = fields.get("password") ?? "";
  const shown = { ...toInvited(opened), kind: "account", email, form } as const;
  try {
    const problems = await findProblems({
      full_name: () => requireFullName(form.fullName),
      ...(email === null ? { email: () => requireJoinableAddress(chat, realm, form.email) } : {}),
      password: () => requireStrongPassword(password, [email ?? form.email, form.fullName, realm.name]),
    });
    if (Object.keys(problems).length > 0) return { data: { ...shown, problems }, status: 400 };
    const address = email === null ? await requireJoinableAddress(chat, realm, form.email) : email;
    // Only a form that is filled in could join, or find out whether an address has an account.
    if (opened.kind === "link") {
      await consumeJoinAttempt(ctx, `${realm.id} ${opened.link.id}`);
      await requireFreeAddress(ctx, realm, address);
    }
    const acceptance = { token: keyOf(ctx), fullName: requireFullName(form.fullName), password, address };
    const accept = () => acceptInvite(chat, realm, acceptance);
    const outcome = await withPasswordTurn(chat, pageClientGroup(ctx), accept);
    if (outcome.kind !== "joined") return toClosed(realm, outcome);
    return await signIn(ctx, { realm, user: outcome.user }, AFTER_JOINING);
  } catch (error) {
    // Another visitor took the address, or the organization changed its rules, since the form was checked.
    if (!(error instanceof AppError) || !/^(BAD_REQUEST|RATE_LIMIT_HIT)$/.test(error.code)) throw error;
    const field = error.code === "BAD_REQUEST" && email === null ? "email" : "form";
    return refusedPage({ ...shown, problems: { [field]: error.message } }, error);
  }
}

/** @throws AppError BAD_REQUEST for an address that has an account. */
async function requireFreeAddress(ctx: Context<State>, realm: RealmRecord, address: string): Promise<void> {
  const { chat } = ctx.state.app;
  if (await chat.reads.read<number>(userKeys.byEmail(realm.id, address)) !== null) throw addressTaken();
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
  if (opened.kind === "link" && getLinkJoining(app.chat, opened.permissions.realm) === "closed") {
    return { data: { kind: "dead", organization: realm.name, reason: "no_mail" }, status: 404 };
  }
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return opened;
  return { data: { kind: "member", organization: realm.name, isSignedIn: true }, status: 200 };
}

function toClosed({ name }: RealmRecord, closed: UnusableInvite): JoinPageOutcome {
  const { kind } = closed;
  if (kind === "dead") return { data: { kind, organization: name, reason: closed.reason }, status: 404 };
  return { data: { kind, organization: name, isSignedIn: false }, status: 200 };
}

function toForm(ctx: Context<State>, opened: UsableInvite | UsableInviteLink): JoinData {
  const invited = { ...toInvited(opened), problems: {} };
  if (opened.kind === "link") {
    return isConfirmed(ctx, opened)
      ? { ...invited, kind: "address", form: { email: "" } }
      : { ...invited, kind: "account", email: null, form: { fullName: "", email: "" } };
  }
  const { email, suggested_name } = opened.invite;
  return { ...invited, kind: "account", email, form: { fullName: suggested_name, email: "" } };
}

/** Returns whether visitors to a reusable link confirm their address before they join. */
function isConfirmed({ state }: Context<State>, { permissions }: UsableInviteLink): boolean {
  return getLinkJoining(state.app.chat, permissions.realm) === "confirmed";
}

function toInvited({ permissions, offer, inviter }: UsableInvite | UsableInviteLink): Invited {
  const { name, icon } = permissions.realm;
  return { organization: name, icon, inviter: inviter.full_name, role: offer.role };
}

function keyOf({ params }: Context<State>): string {
  return params["key"] ?? "";
}
