import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { EMPTY_TOPIC_NAME } from "@/lib/chat/organization/channels/model/channel.ts";
import { findVisibleChannel } from "@/lib/chat/channels/store.ts";
import { readMentionedEmoji } from "@/lib/chat/organization/emoji/store.ts";
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
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import type { ChannelRef, GroupRef, Rendered, UserRef } from "@/lib/chat/organization/rendering/context.ts";
import { findMentions, type FoundMentions } from "@/lib/chat/organization/rendering/syntax.ts";
import { loadMathRenderer, renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { rewritePreviews } from "@/lib/chat/organization/rendering/text_rules.ts";
import { readDirectory, readUser } from "@/lib/chat/organization/users/store.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
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

/** Maximum number of names of one kind that are looked up for one message; legitimate messages never reach it. */
const MAX_NAMES = 200;

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
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const [emoji, linkifiers, translateEmoticons, math] = await Promise.all([
    readMentionedEmoji(app, realm.id, content),
    readLinkifierSet(app, realm.id),
    translatesEmoticons,
    loadMathRenderer(content),
  ]);
  const named = findMentions(content);
  const [users, channels] = await Promise.all([
    findUsers(app, permissions, { author, named: named.users.slice(0, MAX_NAMES) }),
    findChannels(app, permissions, { author, names: named.channels.slice(0, MAX_NAMES) }),
  ]);
  const linkify = linkifiers.createLinkify();
  const rendered = renderMessage(content, {
    findUser: (name, id) => findNamed(users, { name, id }),
    findGroup: (name) => findGroup(permissions, name),
    findChannel: (name) => channels.get(name.toLowerCase()) ?? null,
    findEmoji: (name) => emoji.get(name) ?? null,
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
    mentioned_bot_ids: rendered.mentioned_user_ids.filter((id) =>
      users.some((bot) => bot.id === id && bot.is_bot)
    ),
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

/** Finds the user of a mention. A name without an id may have another case, if no user has it as written. */
function findNamed(
  users: readonly UserRef[],
  { name, id }: { name: string; id: number | null },
): UserRef | null {
  if (id !== null) {
    return users.find((user) => user.id === id && (name === "" || user.full_name === name)) ?? null;
  }
  const folded = name.toLowerCase();
  return users.find(({ full_name }) => full_name === name) ??
    users.find(({ full_name }) => full_name.toLowerCase() === folded) ?? null;
}

/** Finds the mentioned users whom the author can access. */
async function findUsers(
  app: ChatApp,
  permissions: PermissionContext,
  { author, named }: { author: UserRecord; named: FoundMentions["users"] },
): Promise<(UserRef & { readonly is_bot: boolean })[]> {
  const { id: realmId } = permissions.realm;
  const byId = await Promise.all(named.map(({ id }) => id === null ? null : readUser(app, realmId, id)));
  const names = named.filter(({ id }) => id === null).map(({ name }) => name);
  const directory = names.length === 0 ? null : await readDirectory(app, realmId);
  const byName = names.flatMap((name) => directory?.byFullName.get(name.toLowerCase()) ?? []);
  return [...byId, ...byName].filter((user) => user !== null)
    .filter((user) => user.is_active && canAccessUser(permissions, author, user))
    .map((user) => ({ id: user.id, full_name: user.full_name, is_bot: isBot(user) }));
}

function findGroup({ realm, groups }: PermissionContext, name: string): GroupRef | null {
  const system = SYSTEM_GROUPS.find((group) => group.name === name);
  if (system !== undefined) return { id: systemGroupId(realm, system.name), name };
  const made = [...groups.values()].find((group) => group.name === name && !group.deactivated);
  return made === undefined ? null : { id: made.id, name };
}

/** Returns the channels that the author has metadata access to, by lowercase name. */
async function findChannels(
  app: ChatApp,
  permissions: PermissionContext,
  { author: user, names }: { author: UserRecord; names: readonly string[] },
): Promise<ReadonlyMap<string, ChannelRef>> {
  const reads = { get: app.reads.read };
  const found = await Promise.all(
    names.map((name) => findVisibleChannel(reads, permissions, { name, user })),
  );
  const channels = found.filter((viewer) => viewer !== null).map(({ channel }) => channel);
  return new Map(channels.map(({ id, name }) => [name.toLowerCase(), { id, name }]));
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
