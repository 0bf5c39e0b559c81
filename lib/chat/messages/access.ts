import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../organization/app.ts";
import { hasContentAccess } from "../organization/channels/model/access.ts";
import { readChannelAsSpectator } from "../channels/store.ts";
import { channelKeys, type ChannelRecord } from "../organization/channels/model/channel.ts";
import type { Membership } from "../channels/subscriptions/model.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import { notLoggedIn, type UserRecord } from "../organization/users/model.ts";
import { listReferences } from "./files/store.ts";
import { uploadKeys, type UploadRecord } from "../organization/files/model.ts";
import {
  type ConversationRecord,
  messageKeys,
  type MessageRecord,
  toRecipientId,
  type Viewer,
  type VisibleMessage,
  wasReceived,
} from "./model.ts";
import { readMessage } from "./store.ts";

/** @throws AppError BAD_REQUEST for a missing and for an inaccessible message alike. */
export async function getVisibleMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { id, user }: { id: number; user: UserRecord },
): Promise<VisibleMessage> {
  return await requireVisibleMessage(app, permissions, {
    message: await readMessage(app, permissions.realm.id, id),
    user,
  });
}

export function tooLarge(): AppError {
  return new AppError("BAD_REQUEST", "These messages are too large for one request. Request fewer.");
}

/**
 * Requires that a stored message exists and that the user can see it.
 * @throws AppError BAD_REQUEST for a missing or inaccessible message; UNAUTHORIZED for spectators.
 */
export async function requireVisibleMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord | null; user: Viewer },
): Promise<VisibleMessage> {
  const visible = message === null ? null : await toVisibleMessage(app, permissions, { message, user });
  if (visible === null && user === null) throw notLoggedIn();
  if (visible === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
  return visible;
}

/** Returns a stored message with its channel or conversation, or null when the user cannot see it. */
export async function toVisibleMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord; user: Viewer },
): Promise<VisibleMessage | null> {
  return (await readVisibility(app, permissions, { message, user }))(message);
}

/**
 * Creates a function that returns the messages which a viewer can see with their channel or conversation, and null for
 * others. It reads each channel and each conversation once.
 */
export function createVisibilityReader(
  app: ChatApp,
  permissions: PermissionContext,
  user: Viewer,
): (messages: readonly MessageRecord[]) => Promise<(VisibleMessage | null)[]> {
  const known = new Map<number, Visibility>();
  return async (messages) => {
    const unknown = new Map<number, MessageRecord>();
    for (const message of messages) {
      const id = toRecipientId(message);
      if (!known.has(id)) unknown.set(id, message);
    }
    await Promise.all(Array.from(unknown, async ([id, message]) => {
      known.set(id, await readVisibility(app, permissions, { message, user }));
    }));
    return messages.map((message) => known.get(toRecipientId(message))?.(message) ?? null);
  };
}

/** Decides for each message of one channel or conversation whether a viewer can see it. */
type Visibility = (message: MessageRecord) => VisibleMessage | null;

const HIDDEN: Visibility = () => null;

/** Reads what decides on the messages of the channel or conversation that holds a message. */
async function readVisibility(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord; user: Viewer },
): Promise<Visibility> {
  const { realm } = permissions;
  const { channel_id: channelId, conversation_id } = message;
  if (user === null) {
    const channel = channelId === null ? null : await readChannelAsSpectator(app, realm, channelId);
    return channel === null
      ? HIDDEN
      : (each) => ({ message: each, channel, conversation: null, isReceived: false });
  }
  if (channelId === null) {
    const conversation = conversation_id === null
      ? null
      : await app.reads.read<ConversationRecord>(messageKeys.conversation(realm.id, conversation_id));
    if (conversation?.user_ids.includes(user.id) !== true) return HIDDEN;
    return (each) => ({ message: each, channel: null, conversation, isReceived: true });
  }
  const [channel, membership] = await Promise.all([
    app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, channelId)),
    app.reads.read<Membership>(channelKeys.subscription(realm.id, user.id, channelId)),
  ]);
  const isSubscribed = membership?.is_active === true;
  if (channel === null || !hasContentAccess(permissions, { channel, user, isSubscribed })) return HIDDEN;
  const isHistoryHidden = !channel.history_public_to_subscribers;
  return (each) => {
    const isReceived = wasReceived(membership, each.id);
    return isHistoryHidden && !isReceived ? null : { message: each, channel, conversation: null, isReceived };
  };
}

/** Maximum number of uploads that one message references; further ones are plain links. */
const MAX_LINKED_UPLOADS = 50;
/** Maximum number of messages checked for one that grants access to an upload. */
const MAX_REFERENCES_CHECKED = 200;

const UPLOADS_PREFIX = "/user_uploads/";

/** Finds the uploads at some paths that the author can read, by path. */
export async function findLinkedUploads(
  app: ChatApp,
  permissions: PermissionContext,
  { author, paths }: { author: UserRecord; paths: readonly string[] },
): Promise<ReadonlyMap<string, UploadRecord>> {
  const found = await Promise.all(
    paths.slice(0, MAX_LINKED_UPLOADS).map(async (path) => {
      const upload = await readUploadByPath(
        app,
        permissions.realm.id,
        decodePath(path).replace(UPLOADS_PREFIX, ""),
      );
      return upload !== null && await canReadUpload(app, permissions, { upload, user: author })
        ? [path, upload] as const
        : null;
    }),
  );
  return new Map(found.filter((entry) => entry !== null));
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

export async function readUploadByPath(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  pathId: string,
): Promise<UploadRecord | null> {
  // Store keys have a maximum length; no valid path reaches it.
  if (pathId.length > 700) return null;
  const id = await reads.read<number>(uploadKeys.byPath(realmId, pathId));
  return id === null ? null : await reads.read<UploadRecord>(uploadKeys.upload(realmId, id));
}

/** Returns whether a user owns an upload or can see a message that links it. */
export async function canReadUpload(
  app: ChatApp,
  permissions: PermissionContext,
  { upload, user }: { upload: UploadRecord; user: Viewer },
): Promise<boolean> {
  if (upload.owner_id === user?.id) return true;
  const ids = await listReferences(app, permissions.realm.id, {
    id: upload.id,
    limit: MAX_REFERENCES_CHECKED,
  });
  for (const id of ids) {
    const message = await readMessage(app, permissions.realm.id, id);
    if (message !== null && await toVisibleMessage(app, permissions, { message, user }) !== null) return true;
  }
  return false;
}
