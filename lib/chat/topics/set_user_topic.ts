import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { invalidChannel } from "../channels/model/access.ts";
import { channelKeys } from "../channels/model/channel.ts";
import { getReadableChannel } from "../channels/store.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { UserRecord } from "../users/model.ts";
import { sendMutedTopicsEvent, sendUserTopicEvent } from "./events.ts";
import {
  normalizeTopic,
  userTopicKeys,
  type UserTopicRecord,
  VISIBILITY,
  type VisibilityPolicy,
} from "./model.ts";
import { putUserTopic } from "./store.ts";

/** A topic and its new visibility policy. */
export interface UserTopicChange {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: VisibilityPolicy;
  /** The only policy that is replaced; a topic with another one stays as it is. */
  readonly replaces?: VisibilityPolicy;
}

/**
 * Sets the acting user's visibility policy for a topic and sends the events. Removing a policy requires only
 * that the channel exists, so that users can clean up channels they lost access to.
 * @throws AppError BAD_REQUEST.
 */
export async function setUserTopic(
  app: ChatApp,
  { realm, actingUser }: { realm: RealmRecord; actingUser: UserRecord },
  { channelId, topic: sent, policy, replaces }: UserTopicChange,
): Promise<void> {
  const topic = normalizeTopic(sent);
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await requireChannelAccess(tx, permissions, { channelId, actingUser, policy });
    const of = { userId: actingUser.id, channelId, topic };
    const before = await tx.get<UserTopicRecord>(userTopicKeys.topic(realm.id, of));
    const current = before?.visibility_policy ?? VISIBILITY.none;
    if (current === policy || current !== (replaces ?? current)) return;
    const record = putUserTopic(tx, realm.id, { of, policy, now: permissions.now });
    sendMutedTopicsEvent(tx, permissions, [actingUser.id]);
    sendUserTopicEvent(tx, permissions, { userIds: [actingUser.id], record });
  }, `user topics ${realm.id} ${actingUser.id}`);
}

async function requireChannelAccess(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, actingUser, policy }: {
    channelId: number;
    actingUser: UserRecord;
    policy: VisibilityPolicy;
  },
): Promise<void> {
  if (policy !== VISIBILITY.none) {
    await getReadableChannel(tx, permissions, { channelId, user: actingUser });
    return;
  }
  const key = channelKeys.channel(permissions.realm.id, channelId);
  if (!Number.isSafeInteger(channelId) || await tx.get(key) === null) throw invalidChannel();
}
