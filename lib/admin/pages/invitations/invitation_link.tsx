import { useFormState } from "@/components/admin/form_state.ts";
import { adminPage } from "../../declare/page.tsx";
import { INVITES } from "../../events/shown_events.ts";
import { invitationsPage } from "./invitations.tsx";
import { Link } from "@/components/Link.tsx";
import { QrCode } from "@/components/QrCode.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import {
  ChannelAndGroupFields,
  DefaultChannelsField,
  RoleField,
} from "@/components/admin/invitations/InvitationFields.tsx";
import { COUNT, JoinedPeople } from "@/components/admin/invitations/JoinedPeople.tsx";
import { JoiningRule } from "@/components/admin/invitations/JoiningRule.tsx";
import { RelativeTime } from "@/components/admin/invitations/RelativeTime.tsx";
import CopyLinks from "@/islands/admin/CopyLinks.tsx";
import Countdowns from "@/islands/admin/invitations/Countdowns.tsx";
import { updateInviteLink } from "@/lib/chat/invites/invite_links.ts";
import type { ActiveInviteLink } from "@/lib/chat/invites/store.ts";
import { getLinkJoining } from "@/lib/chat/organizations/model.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { toQrPath } from "@/lib/ui/qr_path.ts";
import type { ComponentChildren } from "preact";
import { type Done, FormRefusal } from "../../admin_page.ts";
import { type AdminRequest, pathId } from "../../admin_request.ts";
import type { FormFields } from "../../form_fields.ts";
import { readInvitationChoices } from "../../invitations/invitation_choices.ts";
import { readPlaces, readRole } from "../../invitations/invitation_form.ts";
import { mayManage, readInvitation, toInvitationRows } from "../../invitations/invitation_list.ts";
import { listJoinedPeople } from "../../invitations/joined_people.ts";
import { requireRevision, revisionOf } from "../../revision.ts";

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
  const { chat, caller, messages: { invitations: text } } = request;
  const open = await readManaged(request);
  if (open !== null) requireRevision(request, fields, editedPart(open));
  const role = readRole(fields);
  if (role === null) throw new FormRefusal({ role: text.roleBad });
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
  return { flash: text.saved };
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
  title: ({ link }, t, { invitations }) => t(invitations.linkTitle, { id: String(link.id) }),
  lede: ({ linkJoining }, _, { invitations }) => (
    <>
      {invitations.linkLede} <JoiningRule rule={linkJoining} />
    </>
  ),
  above: [invitationsPage],
  actions: ({ data }) => (
    <Link class={QUIET_BUTTON} href={`/admin/invitations/link/${data.link.id}/revoke`}>
      {useAdmin().messages.invitations.revokeLink}
    </Link>
  ),
  shows: INVITES,
  forms: [{ action: "save", run: save }, { action: "qr", run: downloadQr }],
  view: ({ data }) => {
    const { messages: { invitations: text }, formatter } = useAdmin();
    return (
      <>
        <Panel title={text.linkAddress}>
          <div class="grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,1fr)_auto]">
            <TheLink data={data} />
            <div id="qr" class="grid content-start justify-items-start gap-2">
              <QrCode text={data.url} label={text.qrLabel} />
              <form method="post">
                <input type="hidden" name="action" value="qr" />
                <button type="submit" class="link inline-flex min-h-8 cursor-pointer items-center text-small">
                  {text.qrDownload}
                </button>
              </form>
            </div>
          </div>
        </Panel>
        <JoinedPeople people={data.people} now={data.now} />
        <EditLink data={data} />
        <Countdowns now={data.now} expired={text.expired} language={formatter.language} />
      </>
    );
  },
});

function TheLink({ data: { url, link, now } }: { data: InvitationLinkData }) {
  const { messages: { invitations: text, shell }, formatter } = useAdmin();
  return (
    <div class="grid content-start gap-4">
      <div>
        <p class="text-small text-soft">{text.linkAddress}</p>
        <code class="mt-1 block font-mono text-[0.95rem] leading-7 break-all select-all">{url}</code>
      </div>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="button" data-copy={url} class={`${PRIMARY_BUTTON} noscript:hidden`}>
          {text.copyLink}
        </button>
        <CopyLinks done={text.copied} />
      </div>
      <dl class="grid grid-cols-2 gap-x-6 gap-y-3 text-small sm:grid-cols-3">
        <Fact term={text.role}>{shell.roles[link.role]}</Fact>
        <Fact term={text.expires}>
          <RelativeTime time={link.expiresAt} now={now} isEnd isSoon={link.isSoon} />
        </Fact>
        <Fact term={text.joinedTitle}>
          <span id={COUNT}>
            {link.joined === 0 ? text.nobodyJoined : formatter.t(text.joined, { count: link.joined })}
          </span>
        </Fact>
        <Fact term={text.madeBy}>
          <bdi>{link.inviter}</bdi>
        </Fact>
        <Fact term={text.created}>
          <RelativeTime time={link.createdAt} now={now} />
        </Fact>
        <Fact term={text.channels}>
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
  const { messages: { invitations: text }, formatter } = useAdmin();
  const state = useFormState({ action: "save" });
  const { stored, choices } = data;
  return (
    <section aria-labelledby="edit-title">
      <h2 id="edit-title" class="mb-4">{text.editTitle}</h2>
      <AdminForm state={state} button={text.saveLink} hidden={{ seen: data.seen }}>
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
