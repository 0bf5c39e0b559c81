import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import { orderBy } from "es-toolkit/array/orderBy";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Link } from "@/components/Link.tsx";
import CopyLinks from "@/islands/admin/CopyLinks.tsx";
import LiveTimes from "@/islands/admin/invitations/LiveTimes.tsx";
import { canManageInvite } from "@/lib/chat/joining/invites/access.ts";
import { inviteLinkUrl } from "@/lib/chat/joining/invites/events.ts";
import { type ActiveInvite, countJoinsByLink, readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { type Directory, readDirectory } from "@/lib/chat/organization/users/store.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { QUIET_BUTTON, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import {
  exportForm,
  FilteredList,
  type ListPage,
  type ListView,
  readListView,
  toListPage,
} from "@/lib/admin/declare/list.tsx";
import { SelectionBar } from "@/lib/admin/declare/selection.tsx";
import { listShownChannels } from "@/lib/admin/shown_people.ts";

/** Path of the page. */
export const INVITATIONS = "/admin/invitations";

const LIST = {
  path: INVITATIONS,
  title: "Pending invitations",
  searchLabel: "Address or inviter",
  filters: { expiry: { label: "Expires", choices: { any: "At any time", soon: "Within a day" } } },
  sorts: ["usual", "invited", "by", "role", "created", "expires"],
  range: { one: "{from} of {count} invitation", other: "{from}–{to} of {count} invitations" },
  nothing: {
    title: "No matching invitations.",
    advice: "Change the search, or show",
    link: "all invitations",
    to: INVITATIONS,
  },
};

export const texts = {
  channelCount: { one: "{count} channel", other: "{count} channels" },
  andMore: { one: "{items} and {count} more", other: "{items} and {count} more" },
  joined: { zero: "nobody joined yet", one: "{count} user joined", other: "{count} users joined" },
};

/** A pending invitation or reusable link, as pages show it. */
export type Invitation = ReturnType<typeof toInvitation>;

function toInvitation(
  { t, chat, realm, user }: AdminRequest,
  { byId }: Directory,
  { offer, ...open }: ActiveInvite,
) {
  const { kind } = open;
  const { id } = kind === "email" ? open.invite : open.link;
  const isManageable = canManageInvite(user, offer);
  const email = kind === "email" ? open.invite.email : "";
  return {
    kind,
    id,
    key: `${kind}-${id}`,
    email,
    offer,
    isManageable,
    name: kind === "email" ? email : t("Reusable link {id}", { id: String(id) }),
    inviter: byId.get(offer.inviter_id)?.full_name ?? t("Former user"),
    // Anyone with the link of an owner's invitation becomes an owner.
    url: kind === "link" && isManageable ? inviteLinkUrl(chat, realm, open.link) : "",
    isSoonOver: offer.expires_at !== null && offer.expires_at - chat.clock.now() <= DAY_MS,
  };
}

/** Lists the pending invitations and links that the caller may see. */
export async function listInvitations(request: AdminRequest): Promise<readonly Invitation[]> {
  const directory = await readDirectory(request.chat, request.realm.id);
  const open = await readActiveInvites(request.chat, request.caller);
  return open.map((one) => toInvitation(request, directory, one));
}

/** Finds the invitation or link in the path; null without one. */
export async function findInvitation(
  request: AdminRequest,
  kind: Invitation["kind"],
): Promise<Invitation | null> {
  const key = `${kind}-${pathId(request)}`;
  return (await listInvitations(request)).find((one) => one.key === key) ?? null;
}

/** Finds the invitation or link in the path that the caller may change; others are treated as missing. */
export async function findManageable(request: AdminRequest, kind: Invitation["kind"]) {
  const invitation = await findInvitation(request, kind);
  return invitation?.isManageable === true ? invitation : null;
}

type Row = Awaited<ReturnType<typeof toRows>>[number];

/** Adds the channels of invitations, and the number of people who joined by links. */
export async function toRows(request: AdminRequest, found: readonly Invitation[]) {
  const links = found.filter(({ kind }) => kind === "link");
  const counts = await countJoinsByLink(request.chat, request.realm.id, links.map(({ id }) => id));
  const joined = new Map(links.map((link, at) => [link, counts[at] ?? 0]));
  const channels = await listShownChannels(request, { includeArchived: true });
  const names = new Map(channels.map(({ id, name }) => [id, `#${name}`]));
  return found.map((one) => ({
    ...one,
    channels: describeChannels(request, one, names),
    joined: joined.get(one) ?? 0,
  }));
}

/** Loads the page of pending invitations that a request asks for, and whether there are any. */
export async function loadInvitationList(request: AdminRequest) {
  const view = readListView(LIST, request.query);
  const all = await listInvitations(request);
  const page = toListPage(view, select(view, all));
  return { page: { ...page, items: await toRows(request, page.items) }, isEmpty: all.length === 0 };
}

/** Sends all matching invitations as a CSV file without their links, because files are passed on. */
export const exportList = exportForm({
  name: "invitations.csv",
  list: async (request) => {
    const found = select(readListView(LIST, request.query), await listInvitations(request));
    return await toRows(request, found);
  },
  columns: {
    Type: ({ kind }, { t }) => t(kind === "link" ? "Reusable link" : "By email"),
    Invited: ({ name }) => name,
    "Invited by": ({ inviter }) => inviter,
    Role: ({ offer }, { t }) => t(ROLE_TITLES[offer.role]),
    Created: ({ offer }) => new Date(offer.created_at).toISOString(),
    Expires: ({ offer }, { t }) =>
      offer.expires_at === null ? t("never") : new Date(offer.expires_at).toISOString(),
    Channels: ({ channels }) => channels,
    Joined: ({ kind, joined }) => kind === "link" ? String(joined) : "",
  },
});

/** Returns the matching invitations in order; usually links come first, and the newest of each kind. */
function select(view: ListView, all: readonly Invitation[]): readonly Invitation[] {
  const needle = view.search.trim().toLowerCase();
  const found = all.filter(({ isSoonOver, email, inviter }) =>
    (view.values["expiry"] !== "soon" || isSoonOver) &&
    (email.toLowerCase().includes(needle) || inviter.toLowerCase().includes(needle))
  );
  return orderBy(
    found,
    [KEYS[view.sort] ?? "id", ({ kind }) => kind === "email", ({ offer }) => offer.created_at, "id"],
    [view.isDescending ? "desc" : "asc", "asc", "desc", "desc"],
  );
}

const KEYS: Readonly<Record<string, (invitation: Invitation) => string | number>> = {
  usual: () => 0,
  invited: ({ email }) => email.toLowerCase(),
  by: ({ inviter }) => inviter,
  role: ({ offer }) => offer.role,
  created: ({ offer }) => offer.created_at,
  expires: ({ offer }) => offer.expires_at ?? Infinity,
};

function describeChannels(
  request: AdminRequest,
  { offer: { channel_ids, include_realm_default_subscriptions } }: Invitation,
  names: ReadonlyMap<number, string>,
): string {
  const { t } = request;
  const named = channel_ids.flatMap((id) => names.get(id) ?? []);
  const all = include_realm_default_subscriptions ? [t("default channels"), ...named] : named;
  const total = channel_ids.length + Number(include_realm_default_subscriptions);
  if (total === 0) return t("no channels");
  return all.length === 0 ? t(texts.channelCount, { count: total }) : listFirst(request, all, total);
}

/** Lists the names of few channels; of many the first two, with the number of the others. */
export function listFirst(
  { t, formatter }: Pick<AdminRequest, "t" | "formatter">,
  names: readonly string[],
  total: number,
): string {
  const shown = names.length === total && total <= 3 ? names : names.slice(0, 2);
  return shown.length === total
    ? formatter.list(shown)
    : t(texts.andMore, { items: shown.join(", "), count: total - shown.length });
}

const selection = {
  formId: "chosen-ones",
  name: "chosen",
  toName: ({ name }: Invitation) => name,
  toValue: ({ key }: Invitation) => key,
  isDisabled: ({ isManageable }: Invitation) => !isManageable,
};

interface InvitationTableProps {
  readonly page: ListPage<Row>;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
}

export function InvitationTable({ page, now, hasMail }: InvitationTableProps) {
  const { t } = useAdmin();
  return (
    <>
      <FilteredList
        of={LIST}
        page={page}
        keyOf={selection.toValue}
        selection={selection}
        columns={[
          { title: t("Invited"), sort: "invited", cell: (row) => <Invited row={row} /> },
          { title: t("Invited by"), sort: "by", cell: ({ inviter }) => <bdi>{inviter}</bdi> },
          { title: t("Role"), sort: "role", isShort: true, cell: ({ offer }) => t(ROLE_TITLES[offer.role]) },
          {
            title: t("Created"),
            sort: "created",
            isShort: true,
            cell: ({ offer }) => <RelativeTime time={offer.created_at} now={now} />,
          },
          {
            title: t("Expires"),
            sort: "expires",
            isShort: true,
            cell: (row) => <Expiry of={row} now={now} />,
          },
        ]}
        actions={(row) => <RowActions row={row} hasMail={hasMail} />}
      >
        <SelectionBar of={selection} to={`${INVITATIONS}/revoke`}>
          <button type="submit" class={QUIET_BUTTON}>{t("Revoke selected")}</button>
        </SelectionBar>
      </FilteredList>
      <LiveParts now={now} />
    </>
  );
}

/** Renders the islands that copy links and keep times current; once on a page. */
export function LiveParts({ now }: { now: number }) {
  const { t, formatter: { language } } = useAdmin();
  return (
    <>
      <CopyLinks done={t("Link copied.")} />
      <LiveTimes now={now} language={language} expired={t("expired")} />
    </>
  );
}

function Invited({ row: { kind, id, name, url, channels, joined: count } }: { row: Row }) {
  const { t } = useAdmin();
  return (
    <div class="min-w-36 text-start">
      {url === ""
        ? <bdi class="font-strong break-all">{name}</bdi>
        : <Link class="link font-strong" href={`${INVITATIONS}/link/${id}`}>{name}</Link>}
      <p class="text-small break-words text-soft">
        <bdi>{channels}</bdi>
        {kind === "link" && ` · ${t(texts.joined, { count })}`}
      </p>
    </div>
  );
}

function RowActions({ row: { kind, id, name, url, isManageable }, hasMail }: { row: Row; hasMail: boolean }) {
  const { t } = useAdmin();
  const path = `${INVITATIONS}/${kind}/${id}`;
  if (!isManageable) {
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
      {url === ""
        ? (
          <ActionButton action="show" to={`${path}/link`} fields={{}} label={`${copy}: ${name}`}>
            {copy}
          </ActionButton>
        )
        : (
          <>
            <button
              type="button"
              data-copy={url}
              aria-label={`${copy}: ${name}`}
              class={`${WORD_BUTTON} min-h-8 noscript:hidden`}
            >
              {copy}
            </button>
            <ActionLink href={`${path}#qr`} about={name}>{t("QR code")}</ActionLink>
          </>
        )}
      {kind === "email" && hasMail && (
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

/** Renders when an invitation expires. */
export function Expiry({ of: { offer, isSoonOver }, now }: { of: Invitation; now: number }) {
  return <RelativeTime time={offer.expires_at} now={now} isEnd isSoon={isSoonOver} />;
}
