import { act } from "@/lib/chat/organization/users/store.ts";
import { readMessageHead, writeFirstSubscription } from "./subscriptions/store.ts";
import {
  announceSubscriptions,
  getTargetUsers,
  MAX_FIRST_SUBSCRIBERS,
  subscribeRemainingUsers,
} from "./subscriptions/subscribe_users.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import { afterCommit } from "@/lib/store/durably.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { announceNewChannel } from "./announce_channels.ts";
import type { ChatApp } from "../organization/app.ts";
import { assignFolder } from "./channel_folders.ts";
import { createPermissions, permissionsOf } from "../organization/permissions/store.ts";
import {
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "../organization/permissions/model/membership.ts";
import { PERMISSIONS } from "../organization/permissions/model/registry.ts";
import { systemGroupId } from "../organization/permissions/model/system_groups.ts";
import { type Caller, isAdmin, requireOwner, type UserRecord } from "../organization/users/model.ts";
import { auditChannel, listChannelAudiences, sendToAudiences } from "./events.ts";
import { channelNames, putChannel } from "./store.ts";
import {
  type ChannelRecord,
  DELETE_PERMISSIONS,
  parseRetention,
  requireNewChannelName,
} from "../organization/channels/model/channel.ts";
import { setDefaultChannel } from "./update_channel.ts";
import { sendSubscriberAddedEvents } from "./subscriptions/events.ts";
import { type NewChannel, toChannel, toDescription } from "./api.ts";
import {
  type ChannelPrivacy,
  privateDefaultChannel,
  requireCanCreateChannel,
  requireCanMakeWebPublic,
  requireCanSetTopicsPolicy,
  requireConsistentPrivacy,
  requireTopicCreationForAll,
} from "../organization/channels/model/access.ts";

/**
 * Creates a channel as `createUnannouncedChannel` does, and announces it if it has subscribers: in channels, and,
 * if the caller wants it, to each other subscriber.
 * @throws AppError as that does.
 */
export async function createChannel(
  app: ChatApp,
  caller: Caller,
  params: NewChannel & { readonly send_new_subscription_messages?: boolean },
): Promise<ChannelRecord> {
  const channel = await createUnannouncedChannel(app, caller, params);
  if (params.subscribers.length > 0) {
    await afterCommit(() => announceNewChannel(app, caller, { channel, isAnnounced: params.announce }));
  }
  if (params.send_new_subscription_messages === true) {
    const subscribers = [...new Set(params.subscribers)];
    const subscribed = subscribers.map((userId) => ({ userId, channel, isNew: true }));
    await afterCommit(() => announceSubscriptions(app, caller, subscribed));
  }
  return channel;
}

/**
 * Creates a channel with its subscribers and sends the events; the creator is subscribed only if listed. All
 * or nothing, but subscribers beyond MAX_FIRST_SUBSCRIBERS are only checked in the first commit and follow in
 * later ones.
 * @throws AppError CHANNEL_ALREADY_EXISTS, REQUEST_VARIABLE_INVALID, UNAUTHORIZED_PRINCIPAL,
 * SYSTEM_GROUP_REQUIRED or BAD_REQUEST.
 */
export async function createUnannouncedChannel(
  app: ChatApp,
  caller: Caller,
  params: NewChannel,
): Promise<ChannelRecord> {
  const subscribers = [...new Set(params.subscribers)];
  const channel = await act(app, caller, async ({ tx, realm, actingUser: creator }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const after = await toNewChannel(app, tx, { permissions, creator, params });
    await getTargetUsers(tx, realm.id, subscribers);
    putChannel(tx, permissions, after);
    const from = await readMessageHead(tx) + 1;
    const added = subscribers.slice(0, MAX_FIRST_SUBSCRIBERS).map((userId) => ({
      userId,
      record: writeFirstSubscription(tx, permissions, { channel: after, userId, from }),
    }));
    const context = { isActive: () => true, subscriberCount: added.length };
    // Clients count the first subscribers when they receive them.
    const empty = toChannel(permissions, after, { ...context, subscriberCount: 0 });
    const addedUserIds = added.map(({ userId }) => userId);
    const audiences = await listChannelAudiences(app, permissions, { channel: after, addedUserIds });
    const event = { type: "stream", op: "create", streams: [empty] };
    sendToAudiences(tx, permissions, { event, audiences });
    await sendSubscriberAddedEvents(app, tx, { permissions, channel: after, added, context });
    auditChannel(tx, permissions, { actingUser: creator, channel: after, action: "channel_created" });
    if (params.is_default_stream) {
      await setDefaultChannel(tx, permissions, { channelId: after.id, isDefault: true });
    }
    return after;
  });
  await subscribeRemainingUsers(app, caller, { channel, userIds: subscribers.slice(MAX_FIRST_SUBSCRIBERS) });
  return channel;
}

interface ChannelCreation {
  readonly permissions: PermissionContext;
  readonly creator: UserRecord;
  readonly params: NewChannel;
}

/** Returns the record of a new channel after all checks, in the reference's order. */
async function toNewChannel(app: ChatApp, tx: Tx, creation: ChannelCreation): Promise<ChannelRecord> {
  const { permissions, creator, params } = creation;
  const { name, folder_id, topics_policy } = params;
  requireNewChannelName(name);
  const id = await tx.nextId("channel");
  await channelNames.change(tx, permissions.realm.id, { id, before: null, after: name });
  await assignFolder(tx, permissions.realm.id, folder_id);
  const message_retention_days = parseRetention(params.message_retention_days);
  requireCanSetTopicsPolicy(permissions, creator, topics_policy);
  const privacy = toPrivacy(app, creation);
  if (message_retention_days !== null) requireOwner(creator);
  return {
    id,
    name,
    folder_id,
    topics_policy,
    message_retention_days,
    ...privacy,
    ...toDescription(params.description),
    creator_id: creator.id,
    date_created: permissions.now,
    is_archived: false,
    permissions: toPermissions(tx, creation, { id, privacy }),
  };
}

function toPrivacy(app: ChatApp, { permissions, creator, params }: ChannelCreation): ChannelPrivacy {
  const { invite_only, is_web_public, is_default_stream } = params;
  const history_public_to_subscribers = !invite_only || (params.history_public_to_subscribers ?? false);
  const privacy = { invite_only, is_web_public, history_public_to_subscribers };
  requireCanCreateChannel(permissions, creator, privacy);
  if (is_default_stream && !isAdmin(creator)) throw insufficientPermission();
  if (is_default_stream && invite_only) throw privateDefaultChannel();
  if (is_web_public) requireCanMakeWebPublic(app, permissions, creator);
  requireConsistentPrivacy(privacy, { isDefault: is_default_stream });
  return privacy;
}

function toPermissions(
  tx: Tx,
  { permissions, creator, params }: ChannelCreation,
  { id, privacy }: { id: number; privacy: ChannelPrivacy },
): ChannelRecord["permissions"] {
  const values = createPermissions(tx, permissions, {
    kind: "channel",
    id,
    sent: mapValues(PERMISSIONS.channel, (_, setting) => params[setting]),
    creatorId: creator.id,
  });
  requireTopicCreationForAll(permissions, privacy, values["can_create_topic_group"]);
  const nobody = systemGroupId(permissions.realm, "role:nobody");
  const decidesDeletion = DELETE_PERMISSIONS.some((setting) => values[setting] !== nobody);
  if (decidesDeletion && !hasRealmPermission(permissions, "can_set_delete_message_policy_group", creator)) {
    throw insufficientPermission();
  }
  return values;
}
