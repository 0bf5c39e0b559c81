import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Link } from "@/components/Link.tsx";
import LiveInvitations from "@/islands/admin/invitations/LiveInvitations.tsx";
import { requireCanManageInvite } from "@/lib/chat/joining/invites/access.ts";
import { inviteLinkUrl } from "@/lib/chat/joining/invites/events.ts";
import type { InviteOffer } from "@/lib/chat/joining/invites/model.ts";
import { type ActiveInvite, countJoinsByLink, readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { QUIET_BUTTON, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import {
  FilteredList,
  type ListPage,
  type ListView,
  readListView,
  toListPage,
} from "@/lib/admin/declare/list.tsx";
import { SelectionBar } from "@/lib/admin/declare/selection.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";

const PATH = "/admin/invitations";
/** Remaining validity in milliseconds below which an invitation is marked. */
const SOON_MS = 24 * 60 * 60 * 1000;

const LIST = {
  path: PATH,
  title: "Pending invitations",
  searchLabel: "Address or inviter",
  filters: { expiry: { label: "Expires", choices: { any: "At any time", soon: "Within a day" } } },
  sorts: ["usual", "invited", "by", "role", "created", "expires"],
  range: { one: "{from} of {count} invitation", other: "{from}–{to} of {count} invitations" },
  nothing: {
    title: "No matching invitations.",
    advice: "Change the search, or show",
    link: "all invitations",
    to: PATH,
  },
};

const texts = {
  columns: {},
  channelCount: { one: "{count} channel", other: "{count} channels" },
  csv: ["Type", "Invited", "Invited by", "Role", "Created", "Expires", "Channels", "Joined"],
};

/** An invitation with its sort keys and searchable text. */
interface Found {
  readonly open: ActiveInvite;
  /** Empty for links. */
  readonly email: string;
  readonly inviter: string;
}

/** An invitation as pages show it. */
type ListedInvitation = Awaited<ReturnType<typeof toInvitationRows>>[number];

type ChannelNames = ReadonlyMap<number, string>;

/** Loads the page of pending invitations that a request asks for, and whether there are any. */
export async function loadInvitationList(request: AdminRequest, names: ChannelNames) {
  const view = readListView(LIST, request.query);
  const all = await toFound(request, await readActiveInvites(request.chat, request.caller));
  const page = toListPage(view, select(request, view, all));
  const items = await toRows(request, page.items, names);
  return { page: { ...page, items }, isEmpty: all.length === 0 };
}

/** Returns all matching invitations as a CSV file without their links, because files are passed on. */
export async function exportInvitations(request: AdminRequest, names: ChannelNames): Promise<Response> {
  const { messages: { shell }, t } = request;
  const view = readListView(LIST, request.query);
  const all = await toFound(request, await readActiveInvites(request.chat, request.caller));
  const rows = (await toRows(request, select(request, view, all), names)).map((row) => [
    row.kind === "link" ? request.t("Reusable link") : request.t("By email"),
    row.kind === "link" ? t("Reusable link {id}", { id: String(row.id) }) : row.email,
    row.inviter,
    shell.roles[row.role],
    new Date(row.createdAt).toISOString(),
    row.expiresAt === null ? request.t("never") : new Date(row.expiresAt).toISOString(),
    row.channels,
    row.kind === "link" ? String(row.joined) : "",
  ]);
  return toCsvDownload({ name: "invitations.csv", columns: texts.csv.map((title) => t(title)), rows });
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
  names: ChannelNames,
) {
  return await toRows(request, await toFound(request, all), names);
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

async function toFound(
  { t, chat, realm }: AdminRequest,
  all: readonly ActiveInvite[],
): Promise<readonly Found[]> {
  const { byId } = await readDirectory(chat, realm.id);
  return all.map((open) => ({
    open,
    email: open.kind === "email" ? open.invite.email.toLowerCase() : "",
    inviter: byId.get(open.offer.inviter_id)?.full_name ?? t("Former user"),
  }));
}

/** Returns the matching invitations in order; usually links come first, and the newest of each kind. */
function select({ chat }: AdminRequest, view: ListView, all: readonly Found[]): readonly Found[] {
  const now = chat.clock.now();
  const needle = view.search.trim().toLowerCase();
  const key = KEYS[view.sort] ?? (() => 0);
  const sign = view.isDescending ? -1 : 1;
  return all.filter(({ open, email, inviter }) =>
    (view.values["expiry"] !== "soon" || isSoonOver(open.offer, now)) &&
    (email.includes(needle) || inviter.toLowerCase().includes(needle))
  ).toSorted((one, other) =>
    sign * compare(key(one), key(other)) ||
    Number(one.open.kind === "email") - Number(other.open.kind === "email") ||
    other.open.offer.created_at - one.open.offer.created_at || idOf(other.open) - idOf(one.open)
  );
}

function isSoonOver({ expires_at }: InviteOffer, now: number): boolean {
  return expires_at !== null && expires_at - now <= SOON_MS;
}

const KEYS: Readonly<Record<string, (found: Found) => string | number>> = {
  invited: ({ email }) => email,
  by: ({ inviter }) => inviter,
  role: ({ open }) => open.offer.role,
  created: ({ open }) => open.offer.created_at,
  expires: ({ open }) => open.offer.expires_at ?? Infinity,
};

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
}

async function toRows(request: AdminRequest, found: readonly Found[], names: ChannelNames) {
  const { chat, realm, user } = request;
  const now = chat.clock.now();
  const links = found.flatMap(({ open }) => open.kind === "link" ? [open.link.id] : []);
  const counts = await countJoinsByLink(chat, realm.id, links);
  const joined = new Map(links.map((id, at) => [id, counts[at] ?? 0]));
  return found.map(({ open, inviter }) => {
    const { kind, offer } = open;
    const isManageable = mayManage(user, offer);
    return {
      ...{ kind, id: idOf(open), inviter, isManageable, role: offer.role },
      email: kind === "email" ? open.invite.email : "",
      // Anyone with the link of an owner's invitation becomes an owner.
      url: kind === "link" && isManageable ? inviteLinkUrl(chat, realm, open.link) : null,
      createdAt: offer.created_at,
      expiresAt: offer.expires_at,
      isSoon: isSoonOver(offer, now),
      channels: describeChannels(request, offer, names),
      joined: kind === "link" ? joined.get(open.link.id) ?? 0 : 0,
    };
  });
}

function describeChannels(
  { messages: { invitations: text }, formatter, t }: AdminRequest,
  { channel_ids, include_realm_default_subscriptions }: InviteOffer,
  names: ChannelNames,
): string {
  const named = channel_ids.flatMap((id) => names.get(id) ?? []).map((name) => `#${name}`);
  const all = include_realm_default_subscriptions ? [t("default channels"), ...named] : named;
  const total = channel_ids.length + Number(include_realm_default_subscriptions);
  if (total === 0) return t("no channels");
  const shown = all.length === total && total <= 3 ? all : all.slice(0, 2);
  if (shown.length === total) return formatter.list(shown);
  if (shown.length === 0) return t(texts.channelCount, { count: total });
  return t(text.andMore, { items: shown.join(", "), count: total - shown.length });
}

interface InvitationTableProps {
  readonly page: ListPage<ListedInvitation>;
  readonly isEmpty: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
}

/** Renders the pending invitations, with controls that copy, resend and revoke. */
export function InvitationTable({ page, isEmpty, now, hasMail }: InvitationTableProps) {
  const { t, messages: { invitations, shell }, formatter } = useTexts(texts);
  if (isEmpty) {
    return (
      <EmptyState title={t("There are no pending invitations.")}>
        {t("Pending invitations appear here until they are accepted or expire.")}
      </EmptyState>
    );
  }
  const nameOf = ({ kind, id, email }: ListedInvitation) =>
    kind === "email" ? email : t("Reusable link {id}", { id: String(id) });
  const selection = {
    ...{ formId: "chosen-ones", name: "chosen", toName: nameOf },
    toValue: ({ kind, id }: ListedInvitation) => `${kind}-${id}`,
    isDisabled: ({ isManageable }: ListedInvitation) => !isManageable,
  };
  return (
    <>
      <FilteredList
        of={LIST}
        page={page}
        keyOf={selection.toValue}
        selection={selection}
        columns={[
          {
            title: t("Invited"),
            sort: "invited",
            cell: (row) => <Invited row={row} name={nameOf(row)} />,
          },
          { title: t("Invited by"), sort: "by", cell: ({ inviter }) => <bdi>{inviter}</bdi> },
          { title: t("Role"), sort: "role", isShort: true, cell: ({ role }) => shell.roles[role] },
          {
            title: t("Created"),
            sort: "created",
            isShort: true,
            cell: ({ createdAt }) => <RelativeTime time={createdAt} now={now} />,
          },
          {
            title: t("Expires"),
            sort: "expires",
            isShort: true,
            cell: ({ expiresAt, isSoon }) => (
              <RelativeTime
                time={expiresAt}
                now={now}
                isEnd
                isSoon={isSoon}
              />
            ),
          },
        ]}
        actions={(row) => <RowActions row={row} name={nameOf(row)} hasMail={hasMail} />}
      >
        <SelectionBar of={selection} to={`${PATH}/revoke`}>
          <button type="submit" class={QUIET_BUTTON}>{t("Revoke selected")}</button>
        </SelectionBar>
      </FilteredList>
      <LiveInvitations now={now} language={formatter.language} messages={invitations.live} />
    </>
  );
}

function Invited({ row, name }: { row: ListedInvitation; name: string }) {
  const { t, messages: { invitations: text }, formatter } = useAdmin();
  const joined = row.joined === 0 ? t("nobody joined yet") : formatter.t(text.joined, { count: row.joined });
  return (
    <div class="min-w-36 text-start">
      {row.url === null
        ? <bdi class="font-strong break-all">{name}</bdi>
        : <Link class="link font-strong" href={`${PATH}/link/${row.id}`}>{name}</Link>}
      <p class="text-small break-words text-soft">
        <bdi>{row.channels}</bdi>
        {row.kind === "link" && ` · ${joined}`}
      </p>
    </div>
  );
}

function RowActions({ row, name, hasMail }: { row: ListedInvitation; name: string; hasMail: boolean }) {
  const { t } = useTexts(texts);
  const path = `${PATH}/${row.kind}/${row.id}`;
  if (!row.isManageable) {
    return (
      <span
        class="text-small text-soft"
        title={t("Only owners can view, resend or revoke invitations to the owner role.")}
      >
        {t("Owners only")}
      </span>
    );
  }
  const copy = t("Copy link");
  return (
    <>
      {row.url !== null && (
        <>
          <button
            type="button"
            data-copy={row.url}
            aria-label={`${copy}: ${name}`}
            class={`${WORD_BUTTON} min-h-8 noscript:hidden`}
          >
            {copy}
          </button>
          <ActionLink href={`${path}#qr`} about={name}>{t("QR code")}</ActionLink>
        </>
      )}
      {row.kind === "email" && (
        <ActionButton action="show" to={`${path}/link`} fields={{}} label={`${copy}: ${name}`}>
          {copy}
        </ActionButton>
      )}
      {row.kind === "email" && hasMail && (
        <ActionLink href={`${path}/resend`} about={name}>{t("Resend")}</ActionLink>
      )}
      <ActionLink href={`${path}/revoke`} about={name}>{t("Revoke")}</ActionLink>
    </>
  );
}

interface RelativeTimeProps {
  /** Milliseconds since 1970 UTC; null for never. */
  readonly time: number | null;
  readonly now: number;
  /** Whether something ends at that time. */
  readonly isEnd?: boolean;
  /** Whether that time is close. */
  readonly isSoon?: boolean;
}

/** Renders a time relative to now, with the exact time as its title; scripts keep it current. */
export function RelativeTime({ time, now, isEnd = false, isSoon = false }: RelativeTimeProps) {
  const { t, formatter } = useAdmin();
  if (time === null) return <>{t("never")}</>;
  return (
    <time
      dateTime={new Date(time).toISOString()}
      title={formatter.moment(time)}
      data-moment={time}
      data-ends={isEnd ? "" : undefined}
      class={isSoon ? "font-medium text-accent" : ""}
    >
      {formatter.distance(time, now)}
    </time>
  );
}
