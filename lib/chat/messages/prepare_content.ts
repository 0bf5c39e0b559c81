import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { hasMetadataAccess } from "../channels/access.ts";
import {
  channelKeys,
  type ChannelRecord,
  EMPTY_TOPIC_NAME,
  type SubscriptionRecord,
} from "../channels/channel.ts";
import { readUsedEmoji } from "../emoji/used_emoji.ts";
import { readLinkifiers } from "../linkifiers/read_linkifiers.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { mayWith } from "../permissions/membership.ts";
import { SYSTEM_GROUPS, systemGroupId, systemGroupName } from "../permissions/system_groups.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import { type ChannelRef, type GroupRef, type UserRef } from "../rendering/context.ts";
import { findMentions, type FoundMentions } from "../rendering/find_mentions.ts";
import { renderMessage } from "../rendering/render_message.ts";
import { listUsers, readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { findLinkedUploads } from "./linked_uploads.ts";
import type { Mentions } from "./message.ts";

/** A message's text, rendered, and what of it the server has to know. */
export interface PreparedContent {
  readonly content: string;
  readonly html: string;
  readonly mentions: Mentions;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
  /** The uploads that it links and its author may hand on, by their ids. */
  readonly upload_ids: readonly number[];
  readonly is_me_message: boolean;
}

/** Names of one kind that are looked up for one message. */
const MAX_NAMES = 200;

/** Who writes, and where. */
export interface Author {
  readonly realm: RealmRecord;
  readonly author: UserRecord;
  /** Whether he wants `:)` and its like to become emoji. */
  readonly translatesEmoticons?: boolean;
}

/**
 * Renders a message for its author's organization.
 * @throws AppError BAD_REQUEST for one that mentions a group which its author may not mention.
 */
export async function prepareContent(app: ChatApp, by: Author, content: string): Promise<PreparedContent> {
  const permissions = await peekPermissionContext(app, by.realm);
  const named = boundedMentions(content);
  const [users, channels, emoji, linkifiers] = await Promise.all([
    findUsers(app, by, named),
    findChannels(app, permissions, { by, named }),
    readUsedEmoji(app, by.realm.id, content),
    readLinkifiers(app, by.realm.id),
  ]);
  const linkify = linkifiers.start();
  const rendered = renderMessage(content, {
    findUser: (name, id) => users.find((user) => isMeant(user, { name, id })) ?? null,
    findGroup: (name) => findGroup(permissions, name),
    findChannel: (name) => channels.get(name.toLowerCase()) ?? null,
    findEmoji: (name) => emoji.get(name) ?? null,
    translateEmoticons: by.translatesEmoticons ?? false,
    realmUrl: realmUrl(app, by.realm),
    emptyTopicName: EMPTY_TOPIC_NAME,
    ...(linkify === undefined ? {} : { linkify }),
  });
  requireMayMention(permissions, by.author, rendered.mentioned_group_ids);
  const paths = rendered.attachments;
  const upload_ids = paths.length === 0 ? [] : await findLinkedUploads(app, permissions, { ...by, paths });
  return {
    content,
    html: rendered.html,
    upload_ids,
    mentions: {
      user_ids: rendered.mentioned_user_ids,
      group_ids: rendered.mentioned_group_ids,
      is_stream_wildcard: rendered.wildcard.stream,
      is_topic_wildcard: rendered.wildcard.topic,
    },
    has_link: rendered.has_link,
    has_image: rendered.has_image,
    has_attachment: rendered.attachments.length > 0,
    is_me_message: rendered.is_me_message,
  };
}

/** Hostile text can hold thousands of names; those beyond what anybody writes stay text. */
function boundedMentions(content: string): FoundMentions {
  const { users, groups, channels, emoji } = findMentions(content);
  return {
    users: users.slice(0, MAX_NAMES),
    groups: groups.slice(0, MAX_NAMES),
    channels: channels.slice(0, MAX_NAMES),
    emoji: emoji.slice(0, MAX_NAMES),
  };
}

/**
 * Groups are called by those who may call them, and the system's by nobody.
 * @throws AppError BAD_REQUEST.
 */
function requireMayMention(
  permissions: PermissionContext,
  author: UserRecord,
  groupIds: readonly number[],
): void {
  for (const id of groupIds) {
    const group = permissions.groups.get(id);
    const isAllowed = group !== undefined &&
      mayWith(permissions, { kind: "user_group", setting: "can_mention_group", owner: group }, author);
    if (isAllowed) continue;
    const name = group?.name ?? systemGroupName(permissions.realm, id) ?? "";
    throw new AppError("BAD_REQUEST", `You are not allowed to mention user group '${name}'.`);
  }
}

function isMeant(user: UserRef, { name, id }: { name: string; id: number | null }): boolean {
  return (id === null || user.id === id) && (name === "" || user.full_name === name);
}

/** Names alone are looked for among all accounts, which is rare: clients write the id beside the name. */
async function findUsers(app: ChatApp, { realm }: Author, { users }: FoundMentions): Promise<UserRef[]> {
  const byId = await Promise.all(users.map(({ id }) => id === null ? null : readUser(app, realm.id, id)));
  const names = users.filter(({ id }) => id === null).map(({ name }) => name);
  const byName = names.length === 0
    ? []
    : (await listUsers(app, realm.id)).filter(({ full_name }) => names.includes(full_name));
  return [...byId, ...byName].filter((user) => user !== null && user.is_active)
    .map((user) => ({ id: user?.id ?? 0, full_name: user?.full_name ?? "" }));
}

function findGroup({ realm, groups }: PermissionContext, name: string): GroupRef | null {
  const system = SYSTEM_GROUPS.find((group) => group.name === name);
  if (system !== undefined) return { id: systemGroupId(realm, system.name), name };
  const made = [...groups.values()].find((group) => group.name === name && !group.deactivated);
  return made === undefined ? null : { id: made.id, name };
}

/** Channels that the author may know of, by their names in small letters. */
async function findChannels(
  app: ChatApp,
  permissions: PermissionContext,
  { by, named }: { by: Author; named: FoundMentions },
): Promise<ReadonlyMap<string, ChannelRef>> {
  const found = await Promise.all(named.channels.map((name) => findChannel(app, permissions, { by, name })));
  return new Map(
    found.filter((channel) => channel !== null).map((channel) => [channel.name.toLowerCase(), channel]),
  );
}

async function findChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { by, name }: { by: Author; name: string },
): Promise<ChannelRef | null> {
  const { realm, author: user } = by;
  const id = await app.reads.read<number>(channelKeys.byName(realm.id, name));
  const channel = id === null ? null : await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id));
  if (channel === null) return null;
  const key = channelKeys.subscription(realm.id, user.id, channel.id);
  const subscription = await app.reads.read<SubscriptionRecord>(key);
  const isSubscribed = subscription?.is_active === true;
  return hasMetadataAccess(permissions, { channel, user, isSubscribed })
    ? { id: channel.id, name: channel.name }
    : null;
}
