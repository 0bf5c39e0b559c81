import type { OpenReusable } from "@/lib/chat/invites/open_invitations.ts";
import { updateLink } from "@/lib/chat/invites/update_link.ts";
import { toQrPath } from "@/lib/ui/qr_path.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "./admin_page.ts";
import { type AdminRequest, pathId } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { type InvitationChoices, readInvitationChoices } from "./invitation_choices.ts";
import { readPlaces, readRole } from "./invitation_form.ts";
import { type ListedInvitation, mayManage, readInvitation, toInvitationRows } from "./invitation_list.ts";
import { requireRevision, revisionOf } from "./seen.ts";

/** What the page of a reusable link shows. */
export interface InvitationLinkData {
  readonly link: ListedInvitation;
  readonly url: string;
  readonly choices: InvitationChoices;
  readonly stored: {
    readonly role: string;
    readonly channels: readonly string[];
    readonly groups: readonly string[];
    readonly hasDefaults: boolean;
    /** Channels of the link that the caller may not give. */
    readonly hiddenChannels: number;
  };
  readonly seen: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** The page of a reusable link: the link itself, what it gives, and how to change that. */
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
    choices,
    stored: {
      role: String(offer.role),
      channels: offer.channel_ids.map(String),
      groups: offer.group_ids.map(String),
      hasDefaults: offer.include_realm_default_subscriptions,
      hiddenChannels: hidden.length,
    },
    seen: revisionOf(editedPart(open)),
    now: request.chat.clock.now(),
  };
}

/** The link, for whoever may change it: of all others nobody is told that it is there. */
async function readManaged(request: AdminRequest): Promise<OpenReusable | null> {
  const open = await readInvitation(request, { kind: "link", id: pathId(request) });
  return open?.kind === "link" && mayManage(request.user, open.offer) ? open : null;
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, words: { invitations: text } } = request;
  const open = await readManaged(request);
  if (open !== null) requireRevision(request, fields, editedPart(open));
  const role = readRole(fields);
  if (role === null) throw new FormRefusal({ role: text.roleBad });
  const { channels, groups } = await readInvitationChoices(request);
  const sent = readPlaces(fields);
  const changes = {
    role,
    // What the form could not show is not taken away by it.
    channel_ids: [...sent.stream_ids, ...hiddenIds(channels, open?.offer.channel_ids ?? [])],
    group_ids: [...sent.group_ids, ...hiddenIds(groups, open?.offer.group_ids ?? [])],
    include_realm_default_subscriptions: sent.include_realm_default_subscriptions,
  };
  await updateLink(chat, caller, { id: pathId(request), changes });
  return { said: text.saved };
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

function editedPart({ offer }: OpenReusable) {
  return [offer.role, offer.channel_ids, offer.group_ids, offer.include_realm_default_subscriptions];
}

function hiddenIds(shown: readonly { readonly value: string }[], ids: readonly number[]): readonly number[] {
  const values = new Set(shown.map(({ value }) => value));
  return ids.filter((id) => !values.has(String(id)));
}
