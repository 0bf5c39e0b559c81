import LiveInvitations from "@/islands/admin/invitations/LiveInvitations.tsx";
import WatchJoins from "@/islands/admin/invitations/WatchJoins.tsx";
import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { QrCode } from "@/components/ShortLinkText.tsx";
import { invitationsPage, JoiningRule } from "@/lib/admin/pages/invitations/invitations.tsx";
import {
  mayManage,
  readInvitation,
  RelativeTime,
  toInvitationRows,
} from "@/lib/admin/pages/invitations/invitation_list.tsx";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { updateInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import type { ActiveInviteLink } from "@/lib/chat/joining/invites/store.ts";
import { getLinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { toQrPath } from "@/lib/ui/qr_path.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { requireRevision, revisionOf } from "@/lib/admin/revision.ts";
import {
  ChannelAndGroupFields,
  DefaultChannelsField,
  readInvitationChoices,
  readPlaces,
  readRole,
  RoleField,
} from "./offer_fields.tsx";

type InvitationLinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

async function loadLink(request: AdminRequest) {
  const open = await readManaged(request);
  if (open === null) return null;
  const choices = await readInvitationChoices(request);
  const [link] = await toInvitationRows(request, [open], choices.channelNames);
  if (link === undefined || link.url === null) return null;
  const { offer } = open;
  const hidden = hiddenIds(choices.channels, offer.channel_ids);
  return {
    link,
    url: link.url,
    linkJoining: getLinkJoining(request.chat, request.realm),
    choices,
    stored: {
      role: String(offer.role),
      channels: offer.channel_ids.map(String),
      groups: offer.group_ids.map(String),
      hasDefaults: offer.include_realm_default_subscriptions,
      hiddenChannels: hidden.length,
    },
    people: await listJoinedPeople(request, link.id),
    seen: revisionOf(editedPart(open)),
    now: request.chat.clock.now(),
  };
}

/** Returns a link that the caller may change; others are treated as missing. */
async function readManaged(request: AdminRequest): Promise<ActiveInviteLink | null> {
  const open = await readInvitation(request, { kind: "link", id: pathId(request) });
  return open?.kind === "link" && mayManage(request.user, open.offer) ? open : null;
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller } = request;
  const open = await readManaged(request);
  if (open !== null) requireRevision(request, fields, editedPart(open));
  const role = readRole(fields);
  if (role === null) throw new FormRefusal({ role: request.t("Choose a role.") });
  const { channels, groups } = await readInvitationChoices(request);
  const sent = readPlaces(fields);
  const changes = {
    role,
    // Saving keeps the channels that the form could not show.
    channel_ids: [...sent.stream_ids, ...hiddenIds(channels, open?.offer.channel_ids ?? [])],
    group_ids: [...sent.group_ids, ...hiddenIds(groups, open?.offer.group_ids ?? [])],
    include_realm_default_subscriptions: sent.include_realm_default_subscriptions,
  };
  await updateInviteLink(chat, caller, { id: pathId(request), changes });
  return { flash: request.t("Link saved.") };
}

async function downloadQr(request: AdminRequest): Promise<Response> {
  const data = await loadLink(request);
  const { size, path } = toQrPath(data?.url ?? "");
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#181b20"/></svg>\n`;
  return new Response(svg, {
    headers: {
      "content-type": "image/svg+xml",
      "content-disposition": `attachment; filename="invitation-link-${data?.link.id ?? ""}.svg"`,
      "cache-control": "no-store",
    },
  });
}

function editedPart({ offer }: ActiveInviteLink) {
  return [offer.role, offer.channel_ids, offer.group_ids, offer.include_realm_default_subscriptions];
}

function hiddenIds(shown: readonly { readonly value: string }[], ids: readonly number[]): readonly number[] {
  const values = new Set(shown.map(({ value }) => value));
  return ids.filter((id) => !values.has(String(id)));
}

/** Renders the page of a reusable link: copy buttons, QR code, settings and revocation. */
export const invitationLinkPage = adminPage({
  path: "/admin/invitations/link/[id]",
  load: loadLink,
  title: ({ link }, t) => t("Reusable link {id}", { id: String(link.id) }),
  lede: ({ linkJoining }, _, { invitations }) => (
    <>
      {invitations.linkLede} <JoiningRule rule={linkJoining} />
    </>
  ),
  above: [invitationsPage],
  actions: ({ data }) => (
    <Link class={QUIET_BUTTON} href={`/admin/invitations/link/${data.link.id}/revoke`}>
      {useAdmin().t("Revoke link")}
    </Link>
  ),
  shows: INVITES,
  forms: [{ action: "save", run: save }, { action: "qr", run: downloadQr }],
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <Panel title={t("Link")}>
          <div class="grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,1fr)_auto]">
            <TheLink data={data} />
            <div id="qr" class="grid content-start justify-items-start gap-2">
              <QrCode text={data.url} label={t("QR code of the link")} />
              <form method="post">
                <input type="hidden" name="action" value="qr" />
                <button type="submit" class="link inline-flex min-h-8 cursor-pointer items-center text-small">
                  {t("Download QR code")}
                </button>
              </form>
            </div>
          </div>
        </Panel>
        <JoinedPeople people={data.people} now={data.now} />
        <EditLink data={data} />
      </>
    );
  },
});

function TheLink({ data: { url, link, now } }: { data: InvitationLinkData }) {
  const { t, messages: { invitations: text, shell }, formatter } = useAdmin();
  return (
    <div class="grid content-start gap-4">
      <div>
        <p class="text-small text-soft">{t("Link")}</p>
        <code class="mt-1 block font-mono text-[0.95rem] leading-7 break-all select-all">{url}</code>
      </div>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="button" data-copy={url} class={`${PRIMARY_BUTTON} noscript:hidden`}>
          {t("Copy link")}
        </button>
        <LiveInvitations now={now} language={formatter.language} messages={text.live} />
      </div>
      <dl class="grid grid-cols-2 gap-x-6 gap-y-3 text-small sm:grid-cols-3">
        <Fact term={t("Role")}>{shell.roles[link.role]}</Fact>
        <Fact term={t("Expires")}>
          <RelativeTime time={link.expiresAt} now={now} isEnd isSoon={link.isSoon} />
        </Fact>
        <Fact term={t("Joined")}>
          <span id={COUNT}>
            {link.joined === 0 ? t("nobody joined yet") : formatter.t(text.joined, { count: link.joined })}
          </span>
        </Fact>
        <Fact term={t("Created by")}>
          <bdi>{link.inviter}</bdi>
        </Fact>
        <Fact term={t("Created")}>
          <RelativeTime time={link.createdAt} now={now} />
        </Fact>
        <Fact term={t("Channels")}>
          <bdi>{link.channels}</bdi>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div class="min-w-0">
      <dt class="text-soft">{term}</dt>
      <dd class="mt-0.5 break-words">{children}</dd>
    </div>
  );
}

function EditLink({ data }: { data: InvitationLinkData }) {
  const { t, messages: { invitations: text }, formatter } = useAdmin();
  const state = useFormState({ action: "save" });
  const { stored, choices } = data;
  return (
    <section aria-labelledby="edit-title">
      <h2 id="edit-title" class="mb-4">{t("Edit link")}</h2>
      <AdminForm state={state} button={t("Save changes")} hidden={{ seen: data.seen }}>
        <div class="grid items-start gap-4 sm:grid-cols-2">
          <RoleField state={state} choices={choices} stored={stored.role} />
          <DefaultChannelsField state={state} choices={choices} stored={stored.hasDefaults} />
          <ChannelAndGroupFields
            state={state}
            choices={choices}
            channels={stored.channels}
            groups={stored.groups}
          />
        </div>
        {stored.hiddenChannels > 0 && (
          <p class="text-small text-soft">
            {formatter.t(text.hiddenChannels, { count: stored.hiddenChannels })}
          </p>
        )}
      </AdminForm>
    </section>
  );
}

/** A person who joined by a reusable link. */
interface JoinedPerson {
  readonly id: number;
  /** Name at the time of joining. */
  readonly name: string;
  /** Milliseconds since 1970 UTC. */
  readonly joinedAt: number;
}

/** Number of changes of links among which people are found. */
const MAX_READ = 100;
const MAX_SHOWN = 10;

/** Lists the latest people who joined by a link, latest first. */
async function listJoinedPeople(
  { chat, realm }: AdminRequest,
  linkId: number,
): Promise<readonly JoinedPerson[]> {
  const query = { kind: "invite_link", cursor: null, limit: MAX_READ } as const;
  const { changes } = await listAuditRecords(chat, realm, query);
  return changes
    .flatMap(({ action, target, acting_user_id: id, time }) =>
      action === "invite_link_used" && target.id === linkId && id !== null
        ? [{ id, name: target.name, joinedAt: time }]
        : []
    )
    .slice(0, MAX_SHOWN);
}

/** Ids of the elements that the island replaces; screen readers announce the first. */
const JOINED = "joined-people";
const COUNT = "joined-count";

interface JoinedPeopleProps {
  readonly people: readonly JoinedPerson[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Renders who joined by a link, while people arrive too. */
function JoinedPeople({ people, now }: JoinedPeopleProps) {
  const { t, messages: { invitations: { arrivals: text } }, news, opens } = useAdmin();
  return (
    <section aria-labelledby="joined-title" class="mb-9">
      <div id={JOINED} role="status">
        <h2 id="joined-title" class="mb-2">
          {people.length === 0 ? t("Waiting for the first person") : t("Users who joined")}
        </h2>
        {people.length === 0
          ? (
            <>
              <p class="text-soft noscript:hidden">{text.waitingHint}</p>
              <p class="hidden text-soft noscript:block">
                {t("Share the link or the QR code. Reload this page to see who joined.")}
              </p>
            </>
          )
          : (
            <>
              <ul class="mb-4 border-t border-rule">
                {people.map(({ id, name, joinedAt }) => (
                  <li
                    key={id}
                    class="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-rule py-2"
                  >
                    {opens(`/admin/users/${id}`)
                      ? (
                        <Link class="link font-medium" href={`/admin/users/${id}`}>
                          {t("{name} joined", { name })}
                        </Link>
                      )
                      : <span class="font-medium">{t("{name} joined", { name })}</span>}
                    <span class="text-small text-soft">
                      <RelativeTime time={joinedAt} now={now} />
                    </span>
                  </li>
                ))}
              </ul>
              <p class="flex flex-wrap items-center gap-x-4 gap-y-2">
                <Link class={`${QUIET_BUTTON} no-underline`} href="/connect">{t("Connect an app")}</Link>
                <span class="text-soft">{t("Send the first message, and see it arrive.")}</span>
              </p>
            </>
          )}
      </div>
      {news !== undefined && <WatchJoins ids={[JOINED, COUNT]} position={news.position} />}
    </section>
  );
}
