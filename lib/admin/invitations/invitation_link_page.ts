import type { ActiveInviteLink } from "@/lib/chat/invites/store.ts";
import { updateInviteLink } from "@/lib/chat/invites/invite_links.ts";
import { getLinkJoining, type LinkJoining } from "@/lib/chat/organizations/model.ts";
import { toQrPath } from "@/lib/ui/qr_path.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { type InvitationChoices, readInvitationChoices } from "./invitation_choices.ts";
import { readPlaces, readRole } from "./invitation_form.ts";
import { type ListedInvitation, mayManage, readInvitation, toInvitationRows } from "./invitation_list.ts";
import { type JoinedPerson, listJoinedPeople } from "./joined_people.ts";
import { requireRevision, revisionOf } from "../revision.ts";

/** Data of a reusable link's page. */
export interface InvitationLinkData {
  readonly link: ListedInvitation;
  readonly url: string;
  readonly linkJoining: LinkJoining;
  readonly choices: InvitationChoices;
  readonly stored: {
    readonly role: string;
    readonly channels: readonly string[];
    readonly groups: readonly string[];
    readonly hasDefaults: boolean;
    /** Number of the link's channels that the caller may not offer. */
    readonly hiddenChannels: number;
  };
  readonly people: readonly JoinedPerson[];
  readonly seen: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** The page of a reusable link: its URL and what it offers. */
export const invitationLinkPage: AdminPageSpec<InvitationLinkData> = {
  load: loadLink,
  actions: { save: { run: save }, qr: { run: downloadQr } },
};

async function loadLink(request: AdminRequest): Promise<InvitationLinkData | null> {
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
