import LiveInvitations from "@/islands/admin/invitations/LiveInvitations.tsx";
import WatchJoins from "@/islands/admin/invitations/WatchJoins.tsx";
import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { Link } from "@/components/Link.tsx";
import { QrCode } from "@/components/ShortLinkText.tsx";
import { invitationsPage, JoiningRule } from "./invitations.tsx";
import { findInvitation, type Invitation, RelativeTime, texts, toRows } from "./invitation_list.tsx";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { updateInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { getLinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { toQrPath, toQrSvg } from "@/lib/ui/qr_path.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import { revisionOf } from "@/lib/admin/revision.ts";
import {
  ChannelAndGroupFields,
  DefaultChannelsField,
  readInvitationChoices,
  readPlaces,
  readRole,
  RoleField,
} from "./offer_fields.tsx";

type InvitationLinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

/** Loads a link that the caller may change; others are treated as missing. */
async function loadLink(request: AdminRequest) {
  const found = await findInvitation(request, "link");
  if (found === null || found.url === null) return null;
  const choices = await readInvitationChoices(request);
  const [link = null] = await toRows(request, [found], choices.channelNames);
  return link && {
    ...{ link, choices, url: found.url, now: request.chat.clock.now() },
    linkJoining: getLinkJoining(request.chat, request.realm),
    hiddenChannels: hiddenIds(choices.channels, link.offer.channel_ids).length,
    joins: await listJoins(request, link.id),
  };
}

const save = form({
  action: "save",
  revision: async (request) => {
    const invitation = await findInvitation(request, "link");
    return invitation?.isManageable === true ? editedPart(invitation) : null;
  },
  run: async (request, _, submitted) => {
    const { chat, caller, t } = request;
    const role = readRole(submitted);
    if (role === null) throw new FormRefusal({ role: t("Choose a role.") });
    const { channels, groups } = await readInvitationChoices(request);
    const offer = (await findInvitation(request, "link"))?.offer;
    const { stream_ids, group_ids, ...others } = readPlaces(submitted);
    const changes = {
      ...{ role, ...others },
      // Saving keeps the channels that the form could not show.
      channel_ids: [...stream_ids, ...hiddenIds(channels, offer?.channel_ids ?? [])],
      group_ids: [...group_ids, ...hiddenIds(groups, offer?.group_ids ?? [])],
    };
    await updateInviteLink(chat, caller, { id: pathId(request), changes });
    return { flash: t("Link saved.") };
  },
});

const downloadQr = form({
  action: "qr",
  run: async (request) => {
    const { id, url = null } = await findInvitation(request, "link") ?? {};
    return new Response(toQrSvg(toQrPath(url ?? "")), {
      headers: {
        "content-type": "image/svg+xml",
        "content-disposition": `attachment; filename="invitation-link-${id ?? ""}.svg"`,
        "cache-control": "no-store",
      },
    });
  },
});

function editedPart({ offer }: Invitation) {
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
  lede: ({ linkJoining }, t) => (
    <>
      {t("Anyone with this link can join. Share it with care.")} <JoiningRule rule={linkJoining} />
    </>
  ),
  above: [invitationsPage],
  actions: ({ data }) => (
    <Link class={QUIET_BUTTON} href={`/admin/invitations/link/${data.link.id}/revoke`}>
      {useAdmin().t("Revoke link")}
    </Link>
  ),
  shows: INVITES,
  forms: [save, downloadQr],
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
        <JoinedPeople data={data} />
        <EditLink data={data} />
      </>
    );
  },
});

function TheLink({ data: { url, link, now } }: { data: InvitationLinkData }) {
  const { t, messages: { shell }, formatter } = useAdmin();
  const { offer } = link;
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
        <LiveInvitations
          now={now}
          language={formatter.language}
          messages={{ copied: t("Link copied."), expired: t("expired") }}
        />
      </div>
      <dl class="grid grid-cols-2 gap-x-6 gap-y-3 text-small sm:grid-cols-3">
        <Fact term={t("Role")}>{shell.roles[offer.role]}</Fact>
        <Fact term={t("Expires")}>
          <RelativeTime time={offer.expires_at} now={now} isEnd isSoon={link.isSoonOver} />
        </Fact>
        <Fact term={t("Joined")}>
          <span id={COUNT}>{t(texts.joined, { count: link.joined })}</span>
        </Fact>
        <Fact term={t("Created by")}>
          <bdi>{link.inviter}</bdi>
        </Fact>
        <Fact term={t("Created")}>
          <RelativeTime time={offer.created_at} now={now} />
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

function EditLink({ data: { link, choices, hiddenChannels: count } }: { data: InvitationLinkData }) {
  const { t } = useAdmin();
  const state = useFormState(save);
  const { role, channel_ids, group_ids, include_realm_default_subscriptions } = link.offer;
  return (
    <section aria-labelledby="edit-title">
      <h2 id="edit-title" class="mb-4">{t("Edit link")}</h2>
      <AdminForm state={state} button={t("Save changes")} hidden={{ seen: revisionOf(editedPart(link)) }}>
        <div class="grid items-start gap-4 sm:grid-cols-2">
          <RoleField state={state} choices={choices} stored={String(role)} />
          <DefaultChannelsField
            state={state}
            choices={choices}
            stored={include_realm_default_subscriptions}
          />
          <ChannelAndGroupFields
            state={state}
            choices={choices}
            channels={channel_ids.map(String)}
            groups={group_ids.map(String)}
          />
        </div>
        {count > 0 && <p class="text-small text-soft">{t(HIDDEN_CHANNELS, { count })}</p>}
      </AdminForm>
    </section>
  );
}

const HIDDEN_CHANNELS = {
  one: "{count} channel that you cannot add people to is also kept.",
  other: "{count} channels that you cannot add people to are also kept.",
};

/** Number of changes of links among which people are found. */
const MAX_READ = 100;
const MAX_SHOWN = 10;

/** Lists the latest audit entries of people who joined by a link, latest first. */
async function listJoins({ chat, realm }: AdminRequest, linkId: number) {
  const query = { kind: "invite_link", cursor: null, limit: MAX_READ } as const;
  const { changes } = await listAuditRecords(chat, realm, query);
  return changes.filter(({ action, target }) => action === "invite_link_used" && target.id === linkId)
    .slice(0, MAX_SHOWN);
}

/** Ids of the elements that the island replaces; screen readers announce the first. */
const JOINED = "joined-people";
const COUNT = "joined-count";

/** Renders who joined by a link, while people arrive too. */
function JoinedPeople({ data: { joins, now } }: { data: InvitationLinkData }) {
  const { t, news } = useAdmin();
  return (
    <section aria-labelledby="joined-title" class="mb-9">
      <div id={JOINED} role="status">
        <h2 id="joined-title" class="mb-2">
          {joins.length === 0 ? t("Waiting for the first person") : t("Users who joined")}
        </h2>
        {joins.length === 0
          ? (
            <>
              <p class="text-soft noscript:hidden">
                {t("Share the link or the QR code. This page shows who joins as it happens.")}
              </p>
              <p class="hidden text-soft noscript:block">
                {t("Share the link or the QR code. Reload this page to see who joined.")}
              </p>
            </>
          )
          : (
            <>
              <ul class="mb-4 border-t border-rule">
                {joins.map(({ id, acting_user_id, target: { name }, time }) => (
                  <li
                    key={id}
                    class="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-rule py-2"
                  >
                    <PossibleLink path={`/admin/users/${acting_user_id}`} look="font-medium">
                      {t("{name} joined", { name })}
                    </PossibleLink>
                    <span class="text-small text-soft">
                      <RelativeTime time={time} now={now} />
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
