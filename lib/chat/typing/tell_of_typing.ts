import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { accessChannel, may } from "../channels/access.ts";
import { listSubscribers } from "../channels/audience.ts";
import { sendEvent } from "../events/emit.ts";
import { readTopic } from "../messages/edit_topic.ts";
import { MAX_PARTICIPANTS } from "../messages/place.ts";
import type { ParamValues } from "../params/param.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { readUserSettings } from "../user_settings/store.ts";
import { apiEmail } from "../users/email.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import type { typingParams } from "./params.ts";

/** In larger channels nobody is told who is writing: there somebody always is. */
const MAX_CHANNEL_FOR_TYPING = 100;

/** The settings with which people keep it to themselves that they write. */
const TELLS = {
  "direct messages": "send_private_typing_notifications",
  "channel messages": "send_stream_typing_notifications",
} as const;

/** Who writes, and in which organization. */
export interface Writer {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/**
 * Tells those who will see it, and who want to know, that somebody writes or stopped; no record of it is kept.
 * @throws AppError REQUEST_VARIABLE_MISSING, or BAD_REQUEST for a place where he may not write or does not tell.
 */
export async function tellOfTyping(
  app: ChatApp,
  writer: Writer,
  params: ParamValues<typeof typingParams>,
): Promise<void> {
  const isDirect = params.type === "direct";
  const { place, userIds } = isDirect
    ? await peopleOf(app, writer, params.to)
    : await topicOf(app, writer, params);
  const { realm, user } = writer;
  const audience = await whoWantToKnow(app, realm, userIds);
  if (audience.length === 0) return;
  const sender = { user_id: user.id, email: apiEmail(app, realm, user) };
  const event = {
    type: "typing",
    op: params.op,
    message_type: isDirect ? "direct" : "stream",
    sender,
    ...place,
  };
  const told = { event, audience };
  await transact(
    app.store,
    (tx) => Promise.resolve(sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, told)),
  );
}

/** What an event says of a place, and who is there. */
interface TypingPlace {
  readonly place: Readonly<Record<string, unknown>>;
  readonly userIds: readonly number[];
}

async function peopleOf(
  app: ChatApp,
  { realm, user }: Writer,
  to: number | readonly number[] | undefined,
): Promise<TypingPlace> {
  if (to === undefined) throw missing("to");
  await requireTold(app, { realm, user }, "direct messages");
  const named = [to].flat();
  if (named.length === 0) throw new AppError("BAD_REQUEST", "Empty 'to' list");
  const userIds = [...new Set([user.id, ...named])].sort((one, other) => one - other);
  if (userIds.length > MAX_PARTICIPANTS) {
    throw new AppError("BAD_REQUEST", `A direct message goes to ${MAX_PARTICIPANTS} people at most.`);
  }
  const people = await Promise.all(userIds.map((id) => requirePerson(app, realm, id)));
  const recipients = people.map((one) => ({ user_id: one.id, email: apiEmail(app, realm, one) }));
  return { place: { recipients }, userIds };
}

async function requirePerson(app: ChatApp, realm: RealmRecord, id: number): Promise<UserRecord> {
  const user = await readUser(app, realm.id, id);
  if (user === null) throw new AppError("BAD_REQUEST", `Invalid user ID ${id}`);
  if (!user.is_active) throw new AppError("BAD_REQUEST", `'${user.full_name}' is no longer using Sotto.`);
  return user;
}

async function topicOf(
  app: ChatApp,
  { realm, user }: Writer,
  { to, stream_id, topic }: Pick<ParamValues<typeof typingParams>, "to" | "stream_id" | "topic">,
): Promise<TypingPlace> {
  const [channelId = stream_id, ...others] = [to ?? []].flat();
  if (others.length > 0) throw new AppError("BAD_REQUEST", "Expected exactly one channel");
  if (channelId === undefined) throw missing("stream_id");
  if (topic === undefined) throw missing("topic");
  await requireTold(app, { realm, user }, "channel messages");
  const permissions = await peekPermissionContext(app, realm);
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const { channel } = await accessChannel(reads, permissions, { channelId, user });
  if (!may(permissions, { channel, user }, "can_send_message_group")) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${channel.name}'`);
  }
  const subscribers = await listSubscribers(app, realm.id, channel.id);
  return {
    place: { stream_id: channel.id, topic: readTopic(topic) },
    userIds: subscribers.length > MAX_CHANNEL_FOR_TYPING ? [] : subscribers,
  };
}

async function requireTold(app: ChatApp, { realm, user }: Writer, to: keyof typeof TELLS): Promise<void> {
  const settings = await readUserSettings(app, realm.id, user);
  if (settings[TELLS[to]] !== false) return;
  throw new AppError("BAD_REQUEST", `User has disabled typing notifications for ${to}`);
}

async function whoWantToKnow(
  app: ChatApp,
  realm: RealmRecord,
  userIds: readonly number[],
): Promise<number[]> {
  const wanting = await Promise.all(userIds.map(async (id) => {
    const user = await readUser(app, realm.id, id);
    if (user === null || !user.is_active) return [];
    const { receives_typing_notifications: wants } = await readUserSettings(app, realm.id, user);
    return wants === false ? [] : [id];
  }));
  return wanting.flat();
}

function missing(name: string): AppError {
  return new AppError("REQUEST_VARIABLE_MISSING", `Missing '${name}' argument`, {
    extra: { var_name: name },
  });
}
