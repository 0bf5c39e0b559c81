import type { OpenInvitation } from "@/lib/chat/invites/open_invitations.ts";
import { countJoined, readOpenInvitations } from "@/lib/chat/invites/open_invitations.ts";
import { requireMayManage } from "@/lib/chat/invites/rights.ts";
import type { InviteOffer } from "@/lib/chat/invites/invite.ts";
import { linkUrl } from "@/lib/chat/invites/view.ts";
import { readDirectory } from "@/lib/chat/users/directory.ts";
import type { Role, UserRecord } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Rows of one page. */
const PAGE_ROWS = 50;
/** What ends within this time is marked, in milliseconds. */
const SOON_MS = 24 * 60 * 60 * 1000;
/** The columns that the list can be sorted by. */
const INVITATION_SORTS = ["invited", "by", "role", "created", "expires"] as const;
/** One of them. */
export type InvitationSort = typeof INVITATION_SORTS[number];

/** One invitation of the list. */
export interface ListedInvitation {
  readonly kind: "email" | "link";
  readonly id: number;
  /** Empty for links. */
  readonly email: string;
  /** The whole link; null for what is e-mailed, and for what the caller may not manage. */
  readonly url: string | null;
  readonly inviter: string;
  readonly role: Role;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Milliseconds since 1970 UTC; null never. */
  readonly expiresAt: number | null;
  /** Whether it ends within a day. */
  readonly isSoon: boolean;
  readonly channels: string;
  readonly joined: number;
  readonly isManageable: boolean;
}

/** Which part of the list is wanted, as the query of the page's address says. */
export interface InvitationQuery {
  readonly find: string;
  readonly isSoon: boolean;
  /** Null: links first, of each kind the newest first. */
  readonly sort: InvitationSort | null;
  readonly isDescending: boolean;
  readonly page: number;
}

/** A page of the list. */
export interface InvitationList {
  readonly rows: readonly ListedInvitation[];
  /** How many were found. */
  readonly found: number;
  readonly pages: number;
  readonly query: InvitationQuery;
}

/** An invitation, and what it is sorted and found by. */
interface Found {
  readonly open: OpenInvitation;
  readonly email: string;
  readonly inviter: string;
}

/** What the query of the page's address asks for. */
function readInvitationQuery({ query }: Pick<AdminRequest, "query">): InvitationQuery {
  const page = Number(query.get("page") ?? "1");
  return {
    find: (query.get("find") ?? "").slice(0, 200),
    isSoon: query.has("soon"),
    sort: INVITATION_SORTS.find((sort) => sort === query.get("sort")) ?? null,
    isDescending: query.get("order") === "desc",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The page of the list that the query asks for. */
export async function listInvitations(
  request: AdminRequest,
  channelNames: ReadonlyMap<number, string>,
): Promise<InvitationList> {
  const query = readInvitationQuery(request);
  const found = await findInvitations(request, query);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const page = Math.min(query.page, pages);
  const shown = found.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  const rows = await toRows(request, shown, channelNames);
  return { rows, found: found.length, pages, query: { ...query, page } };
}

/** Every invitation that the query asks for, in its order, for a file. */
export async function listAllInvitations(
  request: AdminRequest,
  channelNames: ReadonlyMap<number, string>,
): Promise<readonly ListedInvitation[]> {
  return await toRows(request, await findInvitations(request, readInvitationQuery(request)), channelNames);
}

/** One open invitation of a kind; null where there is none. */
export async function readInvitation(
  request: AdminRequest,
  { kind, id }: { kind: "email" | "link"; id: number },
): Promise<OpenInvitation | null> {
  const open = await readOpenInvitations(request.chat, request.caller);
  return open.find((one) => one.kind === kind && idOf(one) === id) ?? null;
}

/** Invitations as rows, in their order. */
export async function toInvitationRows(
  request: AdminRequest,
  all: readonly OpenInvitation[],
  channelNames: ReadonlyMap<number, string>,
): Promise<readonly ListedInvitation[]> {
  return await toRows(request, await toFound(request, all), channelNames);
}

/** The id of an invitation or a link. */
export function idOf(open: OpenInvitation): number {
  return open.kind === "email" ? open.invite.id : open.link.id;
}

/** Whether somebody may revoke an invitation, repeat it and see its link. */
export function mayManage(user: UserRecord, offer: InviteOffer): boolean {
  try {
    requireMayManage(user, offer);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function findInvitations(request: AdminRequest, query: InvitationQuery): Promise<readonly Found[]> {
  const now = request.chat.clock.now();
  const all = await readOpenInvitations(request.chat, request.caller);
  const wanted = query.isSoon ? all.filter(({ offer }) => isSoonOver(offer, now)) : all;
  const needle = query.find.trim().toLowerCase();
  const found = (await toFound(request, wanted)).filter(({ email, inviter }) =>
    email.includes(needle) || inviter.toLowerCase().includes(needle)
  );
  const compare = COMPARE[query.sort ?? "usual"];
  const sign = query.isDescending && query.sort !== null ? -1 : 1;
  return found.sort((one, other) =>
    sign * compare(one, other) || usualOrder(one, other) || idOf(other.open) - idOf(one.open)
  );
}

async function toFound(
  { chat, realm, words }: AdminRequest,
  all: readonly OpenInvitation[],
): Promise<Found[]> {
  const { byId } = await readDirectory(chat, realm.id);
  return all.map((open) => ({
    open,
    email: open.kind === "email" ? open.invite.email.toLowerCase() : "",
    inviter: byId.get(open.offer.inviter_id)?.full_name ?? words.invitations.somebody,
  }));
}

function isSoonOver({ expires_at }: InviteOffer, now: number): boolean {
  return expires_at !== null && expires_at - now <= SOON_MS;
}

const usualOrder = (one: Found, other: Found) =>
  Number(one.open.kind === "email") - Number(other.open.kind === "email") ||
  other.open.offer.created_at - one.open.offer.created_at;

const COMPARE: Readonly<Record<InvitationSort | "usual", (one: Found, other: Found) => number>> = {
  usual: usualOrder,
  invited: (one, other) => compareTexts(one.email, other.email),
  by: (one, other) => compareTexts(one.inviter, other.inviter),
  role: (one, other) => one.open.offer.role - other.open.offer.role,
  created: (one, other) => one.open.offer.created_at - other.open.offer.created_at,
  // Two that never end are equal, and no number is a difference of both.
  expires: (one, other) => compareNumbers(endOf(one), endOf(other)),
};

function endOf({ open }: Found): number {
  return open.offer.expires_at ?? Infinity;
}

function compareNumbers(one: number, other: number): number {
  return one < other ? -1 : Number(one > other);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

async function toRows(
  request: AdminRequest,
  found: readonly Found[],
  channelNames: ReadonlyMap<number, string>,
): Promise<readonly ListedInvitation[]> {
  const { chat, realm, user } = request;
  const now = chat.clock.now();
  const links = found.flatMap(({ open }) => open.kind === "link" ? [open.link.id] : []);
  const counts = await countJoined(chat, realm.id, links);
  const joined = new Map(links.map((id, at) => [id, counts[at] ?? 0]));
  return found.map(({ open, inviter }): ListedInvitation => {
    const isManageable = mayManage(user, open.offer);
    return {
      kind: open.kind,
      id: idOf(open),
      email: open.kind === "email" ? open.invite.email : "",
      // Whoever has the link of an owner becomes one.
      url: open.kind === "link" && isManageable ? linkUrl(chat, realm, open.link) : null,
      inviter,
      role: open.offer.role,
      createdAt: open.offer.created_at,
      expiresAt: open.offer.expires_at,
      isSoon: isSoonOver(open.offer, now),
      channels: channelsInWords(request, open.offer, channelNames),
      joined: open.kind === "link" ? joined.get(open.link.id) ?? 0 : 0,
      isManageable,
    };
  });
}

function channelsInWords(
  { words: { invitations: text }, speech }: AdminRequest,
  { channel_ids, include_realm_default_subscriptions }: InviteOffer,
  names: ReadonlyMap<number, string>,
): string {
  const named = channel_ids.flatMap((id) => names.get(id) ?? []).map((name) => `#${name}`);
  const all = include_realm_default_subscriptions ? [text.defaultsShort, ...named] : named;
  const total = channel_ids.length + Number(include_realm_default_subscriptions);
  if (total === 0) return text.noChannelsShort;
  const shown = all.length === total && total <= 3 ? all : all.slice(0, 2);
  if (shown.length === total) return speech.list(shown);
  if (shown.length === 0) return speech.say(text.channelCount, { count: total });
  return speech.say(text.andMore, { items: shown.join(", "), count: total - shown.length });
}
