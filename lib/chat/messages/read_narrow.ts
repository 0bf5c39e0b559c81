import type { ChatApp } from "../app.ts";
import { isOpenToWeb } from "../channels/access.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { placeholderId } from "../users/email.ts";
import { findUserByEmail } from "../users/store.ts";
import { foldEmail } from "../users/user.ts";
import { look, readMessage, type Viewer } from "./access.ts";
import { type NarrowTerm, parseNarrow, type WireTerm } from "./narrow.ts";
import { type Conversation, namesIn, resolveNarrow } from "./narrow_resolve.ts";

/**
 * The terms of a narrow by ids, as its reader may know them.
 * @throws AppError BAD_REQUEST for an unknown operator, channel or person.
 */
export async function readNarrow(
  app: ChatApp,
  permissions: PermissionContext,
  { wire, viewer }: { wire: readonly WireTerm[]; viewer: Viewer },
): Promise<NarrowTerm[]> {
  const sent = parseNarrow(wire);
  const names = namesIn(sent);
  const channelIds = await lookUp(
    names.channelNames,
    (name) => findChannelId(app, permissions, { name, viewer }),
  );
  const userIds = await lookUp(names.emails, (email) => findUserId(app, permissions, { email, viewer }));
  const conversation = names.withId === undefined
    ? undefined
    : await placeOf(app, permissions, { id: names.withId, viewer });
  return resolveNarrow(sent, { viewerId: viewer?.id ?? null, channelIds, userIds, conversation });
}

async function lookUp(
  names: readonly string[],
  find: (name: string) => Promise<number | null>,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const name of names) {
    const id = await find(name);
    if (id !== null) ids.set(name, id);
  }
  return ids;
}

/** A name that the reader guesses tells him nothing: what is said there he sees only where he may. */
async function findChannelId(
  app: ChatApp,
  { realm }: PermissionContext,
  { name, viewer }: { name: string; viewer: Viewer },
): Promise<number | null> {
  const id = await app.reads.read<number>(channelKeys.byName(realm.id, name));
  if (id === null) return null;
  const channel = await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id));
  if (channel === null || (viewer === null && !isOpenToWeb(app, realm, channel))) return null;
  return id;
}

/** Spectators are not told whose a real address is, nor that it is anybody's. */
async function findUserId(
  app: ChatApp,
  { realm }: PermissionContext,
  { email, viewer }: { email: string; viewer: Viewer },
): Promise<number | null> {
  if (viewer === null) return placeholderId(app, realm, foldEmail(email)) ?? null;
  return (await findUserByEmail(app, realm, email))?.id ?? null;
}

async function placeOf(
  app: ChatApp,
  permissions: PermissionContext,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Conversation | undefined> {
  const message = await readMessage(app, permissions.realm.id, id);
  const seen = message === null ? null : await look(app, permissions, { message, user: viewer });
  if (message === null || seen === null) return undefined;
  if (seen.conversation !== null) return { participants: seen.conversation.user_ids };
  return message.channel_id === null ? undefined : { channelId: message.channel_id, topic: message.topic };
}
