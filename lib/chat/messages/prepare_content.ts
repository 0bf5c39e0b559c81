import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  channelKeys,
  type ChannelRecord,
  EMPTY_TOPIC_NAME,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { channelNames } from "@/lib/chat/channels/store.ts";
import { findEmoji } from "@/lib/chat/organization/emoji.ts";
import { isInlineImage, toThumbnailPath, type UploadRecord } from "@/lib/chat/organization/files/model.ts";
import { readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  canAccessUser,
  hasPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  SYSTEM_GROUPS,
  systemGroupId,
  systemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import {
  readOrganizationWith,
  type RealmRecord,
  realmUrl,
} from "@/lib/chat/organization/organizations/model.ts";
import type { ChannelRef, GroupRef, Rendered, UserRef } from "@/lib/chat/organization/rendering/context.ts";
import { loadMathRenderer, renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { rewritePreviews } from "@/lib/chat/organization/rendering/text_rules.ts";
import { directoryOf } from "@/lib/chat/organization/users/store.ts";
import { isBot, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { findLinkedUploads } from "./access.ts";
import type { Mentions } from "./model.ts";
import { readEmoticonOption } from "../people/user_settings/store.ts";

/**
 * Returns the attributes of the preview of an upload that a message links by a path; null for an upload that is
 * no image. Animated images are shown as sent, because thumbnails do not move.
 */
function toPreviewAttributes(
  path: string,
  { content_type, image }: Pick<UploadRecord, "content_type" | "image">,
): Readonly<Record<string, string>> | null {
  if (!isInlineImage(content_type)) return null;
  if (image === undefined) return { src: path };
  return {
    ...(image.is_animated ? { "data-animated": "true" } : {}),
    "data-original-dimensions": `${image.width}x${image.height}`,
    "data-original-content-type": content_type,
    src: image.is_animated ? path : toThumbnailPath(path),
  };
}

/** Rendered content of a message, with the facts that are stored beside it. */
export interface PreparedContent {
  readonly content: string;
  readonly html: string;
  readonly mentions: Mentions;
  readonly mentioned_bot_ids: readonly number[];
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
  /** Ids of the linked uploads that the author can read. */
  readonly upload_ids: readonly number[];
  readonly is_me_message: boolean;
}

interface ContentAuthor {
  readonly realm: RealmRecord;
  readonly author: UserRecord;
  /** Whether emoticons such as `:)` become emoji; they do not by default. */
  readonly translatesEmoticons?: boolean | Promise<boolean>;
}

/** @throws AppError BAD_REQUEST when it mentions a group that the author cannot mention. */
export async function prepareContent(
  app: ChatApp,
  authorship: ContentAuthor,
  content: string,
): Promise<PreparedContent> {
  const { realm, author, translatesEmoticons = false } = authorship;
  // Whether the author can see a channel depends on their subscriptions.
  const prefix = channelKeys.subscriptions(realm.id, author.id);
  const [organization, linkifiers, translateEmoticons, math] = await Promise.all([
    content.includes("#**") ? readOrganizationWith(app, realm.id, prefix) : app.readOrganization(realm.id),
    readLinkifierSet(app, realm.id),
    translatesEmoticons,
    loadMathRenderer(content),
  ]);
  const permissions = permissionsOf(organization, app.clock);
  const linkify = linkifiers.createLinkify();
  const rendered = renderMessage(content, {
    findUser: (name, id) => findUser(organization, permissions, { author, name, id }),
    findGroup: (name) => findGroup(permissions, name),
    findChannel: (name) => findChannel(organization, permissions, { author, name }),
    findEmoji: (name) => findEmoji(organization, name),
    translateEmoticons,
    realmUrl: realmUrl(app, realm),
    emptyTopicName: EMPTY_TOPIC_NAME,
    ...math,
    previewsImages: true,
    ...(linkify === undefined ? {} : { linkify }),
  });
  requireCanMention(permissions, author, rendered.mentioned_group_ids);
  const paths = rendered.attachments;
  return toPreparedContent(content, rendered, {
    uploads: await findLinkedUploads(app, permissions, { author, paths }),
    mentioned_bot_ids: rendered.mentioned_user_ids.filter((id) => {
      const user = organization.get<UserRecord>(userKeys.user(realm.id, id));
      return user !== null && isBot(user);
    }),
  });
}

function toPreparedContent(
  content: string,
  rendered: Rendered,
  { uploads, mentioned_bot_ids }: {
    uploads: ReadonlyMap<string, UploadRecord>;
    mentioned_bot_ids: readonly number[];
  },
): PreparedContent {
  return {
    content,
    html: rewritePreviews(rendered.html, rendered.previews, (path) => {
      // Previews show only images that the author can read.
      const upload = uploads.get(path);
      return upload === undefined ? null : toPreviewAttributes(path, upload);
    }),
    upload_ids: [...new Set([...uploads.values()].map(({ id }) => id))],
    mentioned_bot_ids,
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

/**
 * Requires that the author can mention the groups; system groups cannot be mentioned.
 * @throws AppError BAD_REQUEST.
 */
function requireCanMention(
  permissions: PermissionContext,
  author: UserRecord,
  groupIds: readonly number[],
): void {
  for (const id of groupIds) {
    const group = permissions.groups.get(id);
    const isAllowed = group !== undefined &&
      hasPermission(permissions, { kind: "user_group", setting: "can_mention_group", owner: group }, author);
    if (isAllowed) continue;
    const name = group?.name ?? systemGroupName(permissions.realm, id) ?? "";
    throw new AppError("BAD_REQUEST", `You are not allowed to mention user group '${name}'.`);
  }
}

/**
 * Finds the user of a mention whom the author can access. A name without an id may have another case, if no user has it
 * as written.
 */
function findUser(
  organization: Snapshot,
  permissions: PermissionContext,
  { author, name, id }: { author: UserRecord; name: string; id: number | null },
): UserRef | null {
  const isKnown = (user: UserRecord) => user.is_active && canAccessUser(permissions, author, user);
  if (id === null) {
    const named = directoryOf(organization).byFullName.get(name.toLowerCase())?.filter(isKnown) ?? [];
    return named.find(({ full_name }) => full_name === name) ?? named[0] ?? null;
  }
  const user = organization.get<UserRecord>(userKeys.user(organization.realmId, id));
  return user !== null && isKnown(user) && (name === "" || user.full_name === name) ? user : null;
}

function findGroup({ realm, groups }: PermissionContext, name: string): GroupRef | null {
  const system = SYSTEM_GROUPS.find((group) => group.name === name);
  if (system !== undefined) return { id: systemGroupId(realm, system.name), name };
  const made = [...groups.values()].find((group) => group.name === name && !group.deactivated);
  return made === undefined ? null : { id: made.id, name };
}

/** Finds a channel that the author has metadata access to. */
function findChannel(
  organization: Snapshot,
  permissions: PermissionContext,
  { author: user, name }: { author: UserRecord; name: string },
): ChannelRef | null {
  const { realmId } = organization;
  const id = organization.get<number>(channelNames.key(realmId, name));
  const channel = id === null ? null : organization.get<ChannelRecord>(channelKeys.channel(realmId, id));
  // The name in a link has no spaces around it.
  if (channel === null || channel.name.toLowerCase() !== name.toLowerCase()) return null;
  const key = channelKeys.subscription(realmId, user.id, channel.id);
  const isSubscribed = organization.get<SubscriptionRecord>(key)?.is_active === true;
  return hasMetadataAccess(permissions, { channel, user, isSubscribed }) ? channel : null;
}

/**
 * Renders content that a user wrote, by the user's setting for emoticons.
 * @throws AppError BAD_REQUEST when it mentions a group that the user cannot mention.
 */
export async function prepareUserContent(
  app: ChatApp,
  { realm, author }: Pick<ContentAuthor, "realm" | "author">,
  content: string,
): Promise<PreparedContent> {
  const translatesEmoticons = readEmoticonOption(app, realm.id, author);
  return await prepareContent(app, { realm, author, translatesEmoticons }, content);
}

/**
 * Returns the HTML of content as a message of a user; sends nothing.
 * @throws AppError as `prepareUserContent`.
 */
export async function renderContent(
  app: ChatApp,
  author: Pick<ContentAuthor, "realm" | "author">,
  content: string,
): Promise<string> {
  return (await prepareUserContent(app, author, content)).html;
}
