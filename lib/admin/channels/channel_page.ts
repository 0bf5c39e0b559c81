import { type ChannelViewer, hasContentAccess, hasMetadataAccess } from "@/lib/chat/channels/model/access.ts";
import { peekDefaultChannelIds, readChannelViewer } from "@/lib/chat/channels/store.ts";
import { archiveChannel, updateChannel } from "@/lib/chat/channels/update_channel.ts";
import { type ChannelRecord, normalizeDescription } from "@/lib/chat/channels/model/channel.ts";
import type { ChannelChanges } from "@/lib/chat/channels/api.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import {
  type ChannelFormChoices,
  explainChannel,
  loadChannelChoices,
  type ReadChannel,
  readChannelForm,
  type ShownChannel,
  toShownRetention,
} from "./channel_form.ts";
import { kindOf, toKindChanges } from "./channel_kind.ts";
import { addMembers, readSubscribersPage, removeMembers, type SubscribersPage } from "./channel_members.ts";
import type { FormFields } from "../form_fields.ts";
import {
  explainPermissions,
  loadPermissions,
  readPermissionFields,
  type ShownPermission,
} from "../permissions/permission_values.ts";
import { impactActions } from "../permissions/impact_preview.ts";
import { findPermissionImpact, type PermissionImpact } from "../permissions/permission_impact.ts";
import { requireRevision, revisionOf } from "../revision.ts";

/** Data of a channel's page. */
export interface ChannelData extends ShownChannel {
  readonly id: number;
  readonly isArchived: boolean;
  /** Whether new channels are announced in it. */
  readonly isAnnouncements: boolean;
  readonly madeBy: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly madeAt: number;
  readonly members: SubscribersPage;
  readonly choices: ChannelFormChoices;
  readonly permissions: readonly ShownPermission[];
  readonly seen: string;
}

/** The page of a channel: settings, permissions and subscribers. */
export const channelPage: AdminPageSpec<ChannelData> = {
  load: loadChannel,
  actions: {
    save: { run: save },
    permissions: { run: savePermissions },
    add_members: { run: addMembers },
    remove_members: { run: removeMembers },
    unarchive: { run: unarchive },
    ...impactActions(findImpact),
  },
};

/** The page that confirms archiving a channel. */
export const archiveChannelPage: AdminPageSpec<ChannelData> = {
  load: loadChannel,
  actions: { archive: { run: archive } },
};

async function findChannel(
  request: AdminRequest,
): Promise<{ visitor: ChannelViewer; permissions: PermissionContext } | null> {
  const { chat, realm, user } = request;
  const permissions = await peekPermissionContext(chat, realm);
  const reads = { get: chat.reads.read };
  const visitor = await readChannelViewer(reads, { realmId: realm.id, channelId: pathId(request), user });
  return visitor === null || !hasMetadataAccess(permissions, visitor) ? null : { visitor, permissions };
}

async function loadChannel(request: AdminRequest): Promise<ChannelData | null> {
  const found = await findChannel(request);
  if (found === null) return null;
  const { chat, realm } = request;
  const { visitor: { channel }, permissions } = found;
  const [isDefault, members, choices, shown, maker] = await Promise.all([
    readIsDefault(request, channel),
    readSubscribersPage(request, channel.id),
    loadChannelChoices(request, channel.folder_id),
    loadPermissions(request, { kind: "channel", owner: channel }),
    channel.creator_id === null ? null : readUser(chat, realm.id, channel.creator_id),
  ]);
  return {
    ...{ isDefault, members, choices, permissions: shown },
    ...{ id: channel.id, name: channel.name, description: channel.description },
    kind: kindOf(channel),
    isArchived: channel.is_archived,
    isAnnouncements: realm.settings.new_stream_announcements_stream_id === channel.id,
    folderId: channel.folder_id,
    topicsPolicy: channel.topics_policy,
    retention: toShownRetention(channel),
    canRead: hasContentAccess(permissions, found.visitor),
    madeBy: maker?.full_name ?? null,
    madeAt: channel.date_created,
    seen: revisionOf(settingsOf(channel, isDefault)),
  };
}

async function readIsDefault({ chat, realm }: AdminRequest, { id }: ChannelRecord): Promise<boolean> {
  return (await peekDefaultChannelIds(chat, realm.id)).includes(id);
}

/** Returns the values of the settings form. */
function settingsOf(channel: ChannelRecord, isDefault: boolean) {
  const { name, description, folder_id, topics_policy, message_retention_days } = channel;
  return [name, description, kindOf(channel), folder_id, topics_policy, message_retention_days, isDefault];
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  const found = await findChannel(request);
  if (found !== null) {
    const { channel } = found.visitor;
    const isDefault = await readIsDefault(request, channel);
    requireRevision(request, fields, settingsOf(channel, isDefault));
    const wanted = readChannelForm(request, fields, kindOf(channel));
    await change(request, toChanges(channel, isDefault, wanted));
  }
  const name = (await findChannel(request))?.visitor.channel.name ?? "";
  return { flash: formatter.t(messages.channels.saved, { name }) };
}

/** Returns only the changed values, because every submitted value requires permission. */
function toChanges(channel: ChannelRecord, isDefault: boolean, wanted: ReadChannel): ChannelChanges {
  const { name, description, folderId, topicsPolicy, retention } = wanted;
  const stored = toShownRetention(channel);
  const before = stored.choice === "days" ? channel.message_retention_days : RETENTION[stored.choice];
  return {
    ...toKindChanges(channel, wanted.kind),
    ...(name === channel.name ? {} : { new_name: name }),
    ...(normalizeDescription(description) === channel.description ? {} : { description }),
    ...(folderId === channel.folder_id ? {} : { folder_id: folderId }),
    ...(topicsPolicy === channel.topics_policy ? {} : { topics_policy: topicsPolicy }),
    ...(retention === undefined || retention === before ? {} : { message_retention_days: retention }),
    ...(wanted.isDefault === isDefault ? {} : { is_default_stream: wanted.isDefault }),
  };
}

const RETENTION = { default: "realm_default", unlimited: "unlimited" } as const;

async function change(request: AdminRequest, changes: ChannelChanges): Promise<void> {
  const { chat, caller } = request;
  if (Object.keys(changes).length === 0) return;
  const channelId = pathId(request);
  await explainChannel(
    request,
    () => explainPermissions(request, () => updateChannel(chat, caller, { channelId, changes })),
  );
}

async function savePermissions(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  await change(request, await readPermissionFields(request, fields, "channel"));
  const name = (await findChannel(request))?.visitor.channel.name ?? "";
  return { flash: formatter.t(messages.channels.savedPermissions, { name }) };
}

async function findImpact(request: AdminRequest, fields: FormFields): Promise<PermissionImpact> {
  const updates = await readPermissionFields(request, fields, "channel");
  const found = await findChannel(request);
  if (found === null) throw new AppError("NOT_FOUND", request.messages.common.gone);
  return await findPermissionImpact(request, { kind: "channel", owner: found.visitor.channel }, updates);
}

async function unarchive(request: AdminRequest): Promise<Done> {
  const { formatter, messages } = request;
  await change(request, { is_archived: false });
  const name = (await findChannel(request))?.visitor.channel.name ?? "";
  return { flash: formatter.t(messages.channels.restored, { name }) };
}

async function archive(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const { after } = await archiveChannel(chat, caller, pathId(request));
  return {
    flash: formatter.t(messages.channels.archived, { name: after.name }),
    to: `/admin/channels/${after.id}`,
    undo: { path: `/admin/channels/${after.id}`, fields: { action: "unarchive" } },
  };
}
