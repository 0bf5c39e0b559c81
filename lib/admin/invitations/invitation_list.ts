import { type ActiveInvite, countJoinsByLink, readActiveInvites } from "@/lib/chat/invites/store.ts";
import { requireCanManageInvite } from "@/lib/chat/invites/access.ts";
import type { InviteOffer } from "@/lib/chat/invites/model.ts";
import { inviteLinkUrl } from "@/lib/chat/invites/events.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import type { Role, UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Number of rows on a page. */
const PAGE_ROWS = 50;
/** Remaining validity in milliseconds below which an invitation is marked. */
const SOON_MS = 24 * 60 * 60 * 1000;
/** Columns that the list can be sorted by. */
const INVITATION_SORTS = ["invited", "by", "role", "created", "expires"] as const;
/** Name of a sortable column. */
export type InvitationSort = typeof INVITATION_SORTS[number];

/** An invitation in the list. */
export interface ListedInvitation {
  readonly kind: "email" | "link";
  readonly id: number;
  /** Empty for links. */
  readonly email: string;
  /** URL of the link; null for email invitations, and when the caller may not manage it. */
  readonly url: string | null;
  readonly inviter: string;
  readonly role: Role;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Milliseconds since 1970 UTC; null for no expiration. */
  readonly expiresAt: number | null;
  /** Whether it expires within a day. */
  readonly isSoon: boolean;
  readonly channels: string;
  readonly joined: number;
  readonly isManageable: boolean;
}

/** View of the list, from the URL. */
export interface InvitationQuery {
  readonly find: string;
  readonly isSoon: boolean;
  /** Null sorts links first, each kind by newest first. */
  readonly sort: InvitationSort | null;
  readonly isDescending: boolean;
  readonly page: number;
}

/** A page of the list. */
export interface InvitationList {
  readonly rows: readonly ListedInvitation[];
  /** Number of matches. */
  readonly found: number;
  readonly pages: number;
  readonly query: InvitationQuery;
}

/** An invitation with its sort keys and searchable text. */
interface Found {
  readonly open: ActiveInvite;
  readonly email: string;
  readonly inviter: string;
}

/** Parses the query of the page's URL. */
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

/** Lists the requested page of invitations. */
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

/** Lists all matching invitations in order, for a file. */
export async function listAllInvitations(
  request: AdminRequest,
  channelNames: ReadonlyMap<number, string>,
): Promise<readonly ListedInvitation[]> {
  return await toRows(request, await findInvitations(request, readInvitationQuery(request)), channelNames);
}

/** Reads an open invitation of a kind; null without one. */
export async function readInvitation(
  request: AdminRequest,
  { kind, id }: { kind: "email" | "link"; id: number },
): Promise<ActiveInvite | null> {
  const open = await readActiveInvites(request.chat, request.caller);
  return open.find((one) => one.kind === kind && idOf(one) === id) ?? null;
}

/** Converts invitations to rows, in their order. */
export async function toInvitationRows(
  request: AdminRequest,
  all: readonly ActiveInvite[],
  channelNames: ReadonlyMap<number, string>,
): Promise<readonly ListedInvitation[]> {
  return await toRows(request, await toFound(request, all), channelNames);
}

/** Returns the id of an invitation or link. */
export function idOf(open: ActiveInvite): number {
  return open.kind === "email" ? open.invite.id : open.link.id;
}

/** Whether a user may revoke and resend an invitation and see its link. */
export function mayManage(user: UserRecord, offer: InviteOffer): boolean {
  try {
    requireCanManageInvite(user, offer);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function findInvitations(request: AdminRequest, query: InvitationQuery): Promise<readonly Found[]> {
  const now = request.chat.clock.now();
  const all = await readActiveInvites(request.chat, request.caller);
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
  { chat, realm, messages }: AdminRequest,
  all: readonly ActiveInvite[],
): Promise<Found[]> {
  const { byId } = await readDirectory(chat, realm.id);
  return all.map((open) => ({
    open,
    email: open.kind === "email" ? open.invite.email.toLowerCase() : "",
    inviter: byId.get(open.offer.inviter_id)?.full_name ?? messages.invitations.formerUser,
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
  // Two invitations without expiration are equal; their difference would not be a number.
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
  const counts = await countJoinsByLink(chat, realm.id, links);
  const joined = new Map(links.map((id, at) => [id, counts[at] ?? 0]));
  return found.map(({ open, inviter }): ListedInvitation => {
    const isManageable = mayManage(user, open.offer);
    return {
      kind: open.kind,
      id: idOf(open),
      email: open.kind === "email" ? open.invite.email : "",
      // Anyone with the link of an owner's invitation becomes an owner.
      url: open.kind === "link" && isManageable ? inviteLinkUrl(chat, realm, open.link) : null,
      inviter,
      role: open.offer.role,
      createdAt: open.offer.created_at,
      expiresAt: open.offer.expires_at,
      isSoon: isSoonOver(open.offer, now),
      channels: channelsInMessages(request, open.offer, channelNames),
      joined: open.kind === "link" ? joined.get(open.link.id) ?? 0 : 0,
      isManageable,
    };
  });
}

function channelsInMessages(
  { messages: { invitations: text }, formatter }: AdminRequest,
  { channel_ids, include_realm_default_subscriptions }: InviteOffer,
  names: ReadonlyMap<number, string>,
): string {
  const named = channel_ids.flatMap((id) => names.get(id) ?? []).map((name) => `#${name}`);
  const all = include_realm_default_subscriptions ? [text.defaultsShort, ...named] : named;
  const total = channel_ids.length + Number(include_realm_default_subscriptions);
  if (total === 0) return text.noChannelsShort;
  const shown = all.length === total && total <= 3 ? all : all.slice(0, 2);
  if (shown.length === total) return formatter.list(shown);
  if (shown.length === 0) return formatter.t(text.channelCount, { count: total });
  return formatter.t(text.andMore, { items: shown.join(", "), count: total - shown.length });
}
