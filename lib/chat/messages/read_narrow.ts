import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import { findUserByEmail } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { accessMessage } from "./access.ts";
import { type NarrowTerm, parseNarrow, type WireTerm } from "./narrow.ts";
import { type Conversation, namesIn, resolveNarrow } from "./narrow_resolve.ts";

/**
 * The terms of a narrow by ids, as its reader may know them.
 * @throws AppError BAD_REQUEST for an unknown operator, channel or person.
 */
export async function readNarrow(
  app: ChatApp,
  world: GroupWorld,
  { wire, viewer }: { wire: readonly WireTerm[]; viewer: UserRecord },
): Promise<NarrowTerm[]> {
  const sent = parseNarrow(wire);
  const names = namesIn(sent);
  const { realm } = world;
  const channelIds = await lookUp(names.channelNames, (name) => findChannelId(app, realm.id, name));
  const userIds = await lookUp(
    names.emails,
    async (email) => (await findUserByEmail(app, realm, email))?.id ?? null,
  );
  const conversation = names.withId === undefined
    ? undefined
    : await placeOf(app, world, { id: names.withId, viewer });
  return resolveNarrow(sent, { viewerId: viewer.id, channelIds, userIds, conversation });
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
async function findChannelId(app: ChatApp, realmId: number, name: string): Promise<number | null> {
  const id = await app.reads.read<number>(channelKeys.byName(realmId, name));
  if (id === null) return null;
  const channel = await app.reads.read<ChannelRecord>(channelKeys.channel(realmId, id));
  return channel === null ? null : id;
}

async function placeOf(
  app: ChatApp,
  world: GroupWorld,
  { id, viewer }: { id: number; viewer: UserRecord },
): Promise<Conversation | undefined> {
  try {
    const { message, conversation } = await accessMessage(app, world, { id, user: viewer });
    if (conversation !== null) return { participants: conversation.user_ids };
    return message.channel_id === null ? undefined : { channelId: message.channel_id, topic: message.topic };
  } catch {
    return undefined;
  }
}
