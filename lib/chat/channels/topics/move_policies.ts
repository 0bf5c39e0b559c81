import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelViewer } from "../store.ts";
import { COMMIT_BUDGET, type Kv } from "@/lib/store/kv.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { putUserTopic, sendMutedTopicsEvent, sendUserTopicEvent } from "./user_topics.ts";
import {
  countTopicBytes,
  isSameTopic,
  mergePolicies,
  type TopicLocation,
  userTopicKeys,
  VISIBILITY,
  VISIBILITY_POLICIES,
  type VisibilityPolicy,
} from "./model.ts";

/** Maximum number of users whose policies one commit moves, and of bytes of their keys. */
const MAX_MOVED = { users: 100, keyBytes: 24_000 } as const;
/** Number of keys that the move of one policy writes at most. */
const WRITES_PER_POLICY = 4;
/** Other writes of the commit: events, numbers of changes, and the last message. */
const FIXED_WRITES = 30;
/** Size of a key of a policy without the name of its topic, in bytes. */
const KEY_BYTES = 50;

/** Messages of a topic, all of which move to another one. */
interface TopicMove {
  readonly from: TopicLocation;
  readonly to: TopicLocation;
  /** Whether the other topic had messages before. */
  readonly isMerge: boolean;
}

/** A user's policies for both topics of a move. */
interface PolicyPair {
  readonly userId: number;
  readonly source: VisibilityPolicy;
  readonly target: VisibilityPolicy;
}

/** Policies that the next commit moves along with the messages of a topic. */
interface PolicyMove extends TopicMove {
  readonly pairs: readonly PolicyPair[];
  /** Whether no policy is left for a later commit. */
  readonly isComplete: boolean;
  readonly load: { readonly writes: number; readonly keyBytes: number };
}

/**
 * Chooses the policies that the next commit moves. The commit checks that no policy of the topics changes
 * meanwhile.
 */
export async function planPolicyMove(
  { store }: Pick<ChatApp, "store">,
  tx: Tx,
  { realmId, move, reservedWrites }: { realmId: number; move: TopicMove; reservedWrites: number },
): Promise<PolicyMove> {
  const { from, to, isMerge } = move;
  await Promise.all([from, to].map((topic) => tx.get(userTopicKeys.changes(realmId, topic))));
  const keyBytes = WRITES_PER_POLICY * KEY_BYTES +
    2 * (countTopicBytes(from.topic) + countTopicBytes(to.topic));
  const writes = COMMIT_BUDGET.writes - FIXED_WRITES - reservedWrites;
  const limit = Math.min(
    MAX_MOVED.users,
    Math.floor(MAX_MOVED.keyBytes / keyBytes),
    Math.floor(writes / WRITES_PER_POLICY),
  );
  const list = (topic: TopicLocation, options?: Deno.KvListOptions) =>
    listPolicies(store.kv, userTopicKeys.ofTopic(realmId, topic), options);
  const sources = await list(from, { limit: limit + 1 });
  const pairs = await Promise.all(sources.map(async ([userId, source]) => {
    const key = [...userTopicKeys.ofTopic(realmId, to), userId];
    return { userId, source, target: await tx.peek<VisibilityPolicy>(key) ?? VISIBILITY.none };
  }));
  if (isMerge && pairs.length <= limit && !isSameTopic(from, to)) {
    const known = new Set(pairs.map(({ userId }) => userId));
    const others = (await list(to)).filter(([userId]) => !known.has(userId));
    // A policy that is more visible than none stays.
    const muted = others.filter(([, target]) => target === VISIBILITY.muted);
    pairs.push(...muted.map(([userId, target]) => ({ userId, source: VISIBILITY.none, target })));
  }
  const chosen = pairs.slice(0, limit);
  const load = {
    writes: FIXED_WRITES + WRITES_PER_POLICY * chosen.length,
    keyBytes: keyBytes * chosen.length,
  };
  return { ...move, pairs: chosen, isComplete: pairs.length <= limit, load };
}

async function listPolicies(
  kv: Kv,
  prefix: Key,
  options: Deno.KvListOptions = { batchSize: 500 },
): Promise<(readonly [number, VisibilityPolicy])[]> {
  const policies: (readonly [number, VisibilityPolicy])[] = [];
  for await (const entry of kv.list({ prefix: [...prefix] }, options)) {
    const { key, value } = toEntry<VisibilityPolicy>(entry);
    policies.push([Number(key.at(-1)), value]);
  }
  return policies;
}

/** A user's policies after a move, and the topics whose names the user may learn. */
interface MovedPolicy extends PolicyPair {
  readonly after: VisibilityPolicy;
  readonly seesSource: boolean;
  readonly seesTarget: boolean;
}

/**
 * Moves policies and sends their events. Where a user has a policy for the other topic, or it had messages, the
 * more visible one stays. Users without access to the other channel keep none.
 */
export async function writePolicyMove(
  tx: Tx,
  permissions: PermissionContext,
  move: PolicyMove,
): Promise<void> {
  const { realm, now } = permissions;
  const { from, to, pairs } = move;
  const isRenamed = isSameTopic(from, to);
  const policies = await Promise.all(pairs.map((pair) => toMovedPolicy(tx, permissions, { move, pair })));
  for (const { userId, target, after } of policies) {
    if (!isRenamed) {
      tx.delete(userTopicKeys.topic(realm.id, { userId, ...from }));
      tx.delete([...userTopicKeys.ofTopic(realm.id, from), userId]);
    }
    if (isRenamed || after !== target) {
      putUserTopic(tx, realm.id, { of: { userId, ...to }, policy: after, now });
    }
  }
  if (!isRenamed && move.isComplete) tx.delete(userTopicKeys.changes(realm.id, from));
  sendPolicyEvents(tx, permissions, { from, to, policies });
}

async function toMovedPolicy(
  tx: Tx,
  permissions: PermissionContext,
  { move: { from, to, isMerge }, pair }: { move: PolicyMove; pair: PolicyPair },
): Promise<MovedPolicy> {
  const { userId, source, target } = pair;
  const user = await tx.peek<UserRecord>(userKeys.user(permissions.realm.id, userId));
  const seesTarget = await canRead(tx, permissions, { user, channelId: to.channelId });
  const seesSource = from.channelId === to.channelId
    ? seesTarget
    : await canRead(tx, permissions, { user, channelId: from.channelId });
  const merged = !isSameTopic(from, to) && (isMerge || target !== VISIBILITY.none)
    ? mergePolicies(source, target)
    : source;
  return { ...pair, after: seesTarget ? merged : VISIBILITY.none, seesSource, seesTarget };
}

/** Returns whether a user can read a channel. Access may change meanwhile without harm: policies grant none. */
async function canRead(
  tx: Tx,
  permissions: PermissionContext,
  { user, channelId }: { user: UserRecord | null; channelId: number },
): Promise<boolean> {
  if (user === null) return false;
  const peek = { get: <T>(key: Key) => tx.peek<T>(key) };
  const viewer = await readChannelViewer(peek, { realmId: permissions.realm.id, channelId, user });
  return viewer !== null && hasContentAccess(permissions, viewer);
}

function sendPolicyEvents(
  tx: Tx,
  permissions: PermissionContext,
  { from, to, policies }: {
    from: TopicLocation;
    to: TopicLocation;
    policies: readonly MovedPolicy[];
  },
): void {
  const send = (topic: TopicLocation, policy: VisibilityPolicy, changed: readonly MovedPolicy[]) =>
    sendUserTopicEvent(tx, permissions, {
      userIds: changed.map(({ userId }) => userId),
      record: {
        channel_id: topic.channelId,
        topic_name: topic.topic,
        last_updated: permissions.now,
        visibility_policy: policy,
      },
    });
  send(
    from,
    VISIBILITY.none,
    policies.filter(({ source, seesSource }) => seesSource && source !== VISIBILITY.none),
  );
  const muted = policies.filter((policy) =>
    (policy.seesSource || policy.seesTarget) &&
    (policy.source === VISIBILITY.muted ||
      (policy.target === VISIBILITY.muted) !== (policy.after === VISIBILITY.muted))
  );
  sendMutedTopicsEvent(tx, permissions, muted.map(({ userId }) => userId));
  const isRenamed = isSameTopic(from, to);
  for (const policy of VISIBILITY_POLICIES) {
    send(
      to,
      policy,
      policies.filter(({ seesTarget, target, after }) =>
        seesTarget && after === policy && (isRenamed || after !== target)
      ),
    );
  }
}
