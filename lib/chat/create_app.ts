import type { Clock } from "@/lib/core/clock.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import { createImageResizer } from "@/lib/images/image_resizer.ts";
import { createBatchedReads } from "@/lib/store/batched_reads.ts";
import { createJointCommitter } from "@/lib/store/joint_commit.ts";
import type { Store } from "@/lib/store/open.ts";
import { createRecordCache } from "@/lib/store/record_cache.ts";
import { createSharedTransactions } from "@/lib/store/shared_transactions.ts";
import { createVersionedCache } from "@/lib/store/versioned_cache.ts";
import { createActivityRecorder } from "./activity/activity_recorder.ts";
import type { ChatApp, ChatConfig } from "./app.ts";
import { createKeyChecker } from "./auth/key_checker.ts";
import { createKeyUseRecorder } from "./auth/key_use.ts";
import { createRecentIdsCache } from "./messages/read/cached_reads.ts";
import { createWordIndexer } from "./messages/word_index/word_indexer.ts";

const MAX_CACHED_VERSIONS = 256;
/** Estimated memory of the cached messages, users and memberships. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024;
/** Estimated memory of the cached sets of what users have read. */
const MAX_TOPIC_SETS_BYTES = 24 * 1024 * 1024;

/** Parts that the chat services are created from. */
export interface ChatAppParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: ChatConfig;
  readonly passwords: PasswordHasher;
  readonly secretKey: Uint8Array;
  readonly wakeMailer: () => void;
  /** Does nothing by default; notifications then wait for the notifier's next run. */
  readonly wakeNotifier?: () => void;
  /** Does nothing by default; messages then wait for the sender's next run. */
  readonly wakeWebhooks?: () => void;
  /** Does nothing by default; bulk actions then wait for the worker's next run. */
  readonly wakeBulkActions?: () => void;
  /** Does nothing by default; data exports then wait for the worker's next run. */
  readonly wakeExports?: () => void;
  /** Reports a failure of background work, which is tried again; does nothing by default. */
  readonly report?: (problem: string, error: unknown) => void;
}

/** Creates the chat services on an open store. */
export function createChatApp(parts: ChatAppParts): ChatApp {
  const reads = createBatchedReads(parts.store);
  const { report = () => {}, ...others } = parts;
  return {
    wakeNotifier: () => {},
    wakeWebhooks: () => {},
    wakeBulkActions: () => {},
    wakeExports: () => {},
    ...others,
    startedAt: parts.clock.now(),
    readOrganization: (realmId) => parts.store.replicas.current(realmId),
    reads,
    keys: createKeyChecker(parts.secretKey),
    keyUses: createKeyUseRecorder({ ...parts, reads }),
    activity: createActivityRecorder({ ...parts, report: (error) => report("activity not stored", error) }),
    caches: createVersionedCache(MAX_CACHED_VERSIONS),
    records: createRecordCache(MAX_RECORD_BYTES),
    topicSets: createRecordCache(MAX_TOPIC_SETS_BYTES),
    recentIds: createRecentIdsCache(),
    images: createImageResizer(),
    realmIds: new Map(),
    wordIndexer: createWordIndexer({
      ...parts,
      report: (error) => report("words of messages not indexed", error),
    }),
    messageCommitter: createJointCommitter(parts.store, ["seq", "message"]),
    sharedTransactions: createSharedTransactions(parts.store),
    presenceCommitter: createJointCommitter(parts.store, ["seq", "presence"]),
  };
}

/** Settles when all changes that are committed in batches, and the activity so far, are stored or have failed. */
export async function drainChat(
  { messageCommitter, presenceCommitter, sharedTransactions, activity }: ChatApp,
): Promise<void> {
  await Promise.all([
    messageCommitter.drain(),
    presenceCommitter.drain(),
    sharedTransactions.drain(),
    activity.sweep(),
  ]);
}
