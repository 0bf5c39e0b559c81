import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { useFolder } from "../channel_folders/store.ts";
import { initialPermissions } from "../permissions/change.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { systemGroupId } from "../permissions/system_groups.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import type { Caller } from "../users/caller.ts";
import { requireOwner } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import { isAdmin, type UserRecord } from "../users/user.ts";
import { audiencesOf } from "./audience.ts";
import { channelQueue } from "./caller.ts";
import type { ChannelRecord } from "./channel.ts";
import { setDefault } from "./defaults.ts";
import { toDescription } from "./description.ts";
import {
  type Joined,
  joinLater,
  joinNew,
  MAX_FIRST_SUBSCRIBERS,
  requireSubscribers,
  tellOfJoined,
} from "./join.ts";
import { requireChannelName, requireFreeName } from "./name.ts";
import { noteChannel } from "./note_channel.ts";
import type { NewChannel } from "./params.ts";
import { CHANNEL_PERMISSIONS, DELETE_PERMISSIONS } from "./permission_params.ts";
import {
  type Privacy,
  privateDefault,
  requireMayMake,
  requireMayOpenToWeb,
  requireOpenTopics,
  requirePossible,
} from "./privacy.ts";
import { toRetention } from "./retention.ts";
import { putChannel, tell } from "./store.ts";
import { requireMaySetTopicsPolicy } from "./topics_policy.ts";
import { toChannel } from "./view.ts";

/**
 * Makes a channel with its subscribers and tells who may know of it; its maker is subscribed only when named. All or
 * nothing, but of more than MAX_FIRST_SUBSCRIBERS, all of them checked, the rest come after the channel is there,
 * some in each commit. Announcing it, where that was asked for, is left to whoever writes messages.
 * @throws AppError CHANNEL_ALREADY_EXISTS, REQUEST_VARIABLE_INVALID, UNAUTHORIZED_PRINCIPAL, SYSTEM_GROUP_REQUIRED or
 * BAD_REQUEST.
 */
export async function createChannel(
  app: ChatApp,
  caller: Caller,
  wanted: NewChannel,
): Promise<ChannelRecord> {
  const { realm, actingUser } = caller;
  const subscribers = [...new Set(wanted.subscribers)];
  const channel = await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const maker = await getUser(tx, realm.id, actingUser.id);
    const after = await toNewChannel(app, tx, { permissions, maker, wanted });
    await requireSubscribers(tx, realm.id, subscribers);
    putChannel(tx, permissions, { before: null, after });
    const userIds = subscribers.slice(0, MAX_FIRST_SUBSCRIBERS);
    const joined = await joinNew(tx, permissions, { channel: after, userIds });
    await tellOfNew(app, tx, { permissions, channel: after, joined });
    noteChannel(tx, permissions, { actor: maker, channel: after, action: "channel_created" });
    if (wanted.is_default_stream) await setDefault(tx, permissions, { channelId: after.id, isDefault: true });
    return after;
  }, channelQueue(realm.id));
  await joinLater(app, caller, { channel, userIds: subscribers.slice(MAX_FIRST_SUBSCRIBERS) });
  return channel;
}

interface Making {
  readonly permissions: PermissionContext;
  readonly maker: UserRecord;
  readonly wanted: NewChannel;
}

/** The record of a new channel, everything checked in the reference's order. */
async function toNewChannel(app: ChatApp, tx: Tx, making: Making): Promise<ChannelRecord> {
  const { permissions, maker, wanted } = making;
  const { name, folder_id, topics_policy } = wanted;
  requireChannelName(name);
  await requireFreeName(tx, permissions.realm.id, name);
  await useFolder(tx, permissions.realm.id, folder_id);
  const message_retention_days = toRetention(wanted.message_retention_days);
  requireMaySetTopicsPolicy(permissions, maker, topics_policy);
  const privacy = toPrivacy(app, making);
  if (message_retention_days !== null) requireOwner(maker);
  const id = await tx.nextId("channel");
  return {
    ...{ id, name, folder_id, topics_policy, message_retention_days, ...privacy },
    description: toDescription(wanted.description),
    creator_id: maker.id,
    date_created: permissions.now,
    is_archived: false,
    permissions: await toPermissions(tx, making, { id, privacy }),
  };
}

function toPrivacy(app: ChatApp, { permissions, maker, wanted }: Making): Privacy {
  const { invite_only, is_web_public, is_default_stream } = wanted;
  const history_public_to_subscribers = !invite_only || (wanted.history_public_to_subscribers ?? false);
  const privacy = { invite_only, is_web_public, history_public_to_subscribers };
  requireMayMake(permissions, maker, privacy);
  if (is_default_stream && !isAdmin(maker)) throw insufficientPermission();
  if (is_default_stream && invite_only) throw privateDefault();
  if (is_web_public) requireMayOpenToWeb(app, permissions, maker);
  requirePossible(privacy, { isDefault: is_default_stream });
  return privacy;
}

async function toPermissions(
  tx: Tx,
  { permissions, maker, wanted }: Making,
  { id, privacy }: { id: number; privacy: Privacy },
): Promise<ChannelRecord["permissions"]> {
  const values = await initialPermissions(tx, permissions, {
    kind: "channel",
    id,
    sent: Object.fromEntries(CHANNEL_PERMISSIONS.map((setting) => [setting, wanted[setting]])),
    creatorId: maker.id,
  });
  requireOpenTopics(permissions, privacy, values["can_create_topic_group"]);
  const nobody = systemGroupId(permissions.realm, "role:nobody");
  const decidesDeletion = DELETE_PERMISSIONS.some((setting) => values[setting] !== nobody);
  if (decidesDeletion && !mayInRealm(permissions, "can_set_delete_message_policy_group", maker)) {
    throw insufficientPermission();
  }
  return values;
}

async function tellOfNew(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, joined }: {
    permissions: PermissionContext;
    channel: ChannelRecord;
    joined: readonly Joined[];
  },
): Promise<void> {
  const context = { isActive: () => true, subscriberCount: joined.length };
  // Clients count the first subscribers when they are told of them.
  const empty = { ...context, subscriberCount: 0 };
  const event = { type: "stream", op: "create", streams: [toChannel(permissions, channel, empty)] };
  const audiences = await audiencesOf(app, permissions, {
    channel,
    joining: joined.map(({ userId }) => userId),
  });
  tell(tx, permissions, { event, audiences });
  await tellOfJoined(app, tx, { permissions, channel, joined, context });
}
