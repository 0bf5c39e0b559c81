import type { Clock } from "@/lib/core/clock.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import { createImageResizer } from "@/lib/images/image_resizer.ts";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { Cache } from "@/lib/store/cache.ts";
import { createChangeQueue } from "@/lib/store/change_queue.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { createActivityRecorder } from "../people/activity/activity_recorder.ts";
import type { ChatApp, ChatHooks } from "../organization/app.ts";
import type { ChatConfig } from "../organization/config.ts";
import { createKeyChecker, createKeyUseRecorder } from "../people/auth/api_keys.ts";
import { createWordIndexer } from "../messages/word_index/word_indexer.ts";
import { placeOf } from "@/lib/store/resident.ts";
import type { Key } from "@/lib/store/key.ts";

/** Parts that the chat services are created from. */
interface ChatAppParts {
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
  /** Reports a failure that no caller learns; does nothing by default. */
  readonly report?: (problem: string, error: unknown) => void;
}

/** Loads each part with its first use, so that a server starts without them. */
const HOOKS: ChatHooks = {
  sendNotice: async (...args) => (await import("../messages/notices.ts")).sendNotice(...args),
  toMetadataAccessEvents: async (...args) =>
    (await import("../channels/access_events.ts")).toMetadataAccessEvents(...args),
  toChannelActivationEvents: async (...args) =>
    (await import("../channels/access_events.ts")).toChannelActivationEvents(...args),
  setDraftSync: async (...args) => (await import("../messages/drafts.ts")).setDraftSync(...args),
  deleteUnlistedDrafts: async (...args) =>
    (await import("../messages/drafts.ts")).deleteUnlistedDrafts(...args),
};

export function createChatApp(parts: ChatAppParts): ChatApp {
  const reads = createBatchedReads(parts.store);
  const { report = () => {}, ...others } = parts;
  return {
    wakeNotifier: () => {},
    wakeWebhooks: () => {},
    wakeBulkActions: () => {},
    wakeExports: () => {},
    ...others,
    report,
    hooks: HOOKS,
    startedAt: parts.clock.now(),
    readOrganization: (realmId) => parts.store.replicas.current(realmId),
    reads,
    keys: createKeyChecker(parts.secretKey),
    keyUses: createKeyUseRecorder({ ...parts, reads }),
    activity: createActivityRecorder({ ...parts, report: (error) => report("activity not stored", error) }),
    cache: new Cache(),
    images: createImageResizer(),
    realmIds: new Map(),
    wordIndexer: createWordIndexer({
      ...parts,
      report: (error) => report("words of messages not indexed", error),
    }),
    messageCommitter: createChangeQueue(parts.store),
    presenceCommitter: createChangeQueue(parts.store),
    uploadCommitter: createChangeQueue(parts.store),
  };
}

/** Settles when all changes that are committed in batches, and the activity so far, are stored or have failed. */
export async function drainChat(
  { messageCommitter, presenceCommitter, uploadCommitter, activity }: ChatApp,
): Promise<void> {
  await Promise.all([
    messageCommitter.drain(),
    presenceCommitter.drain(),
    uploadCommitter.drain(),
    activity.sweep(),
  ]);
}

/**
 * Returns the services for a request that has read its organization: from then on the organization is as
 * this process knows it, which is at least as it was at that time, and is not read again; or as it is in `organization`.
 */
export function toAppOfRequest(app: ChatApp, realmId: number, organization?: Snapshot): ChatApp {
  const { replicas } = app.store;
  const readOrganization = async (id: number) => {
    if (id !== realmId) return await app.readOrganization(id);
    return organization ?? await replicas.known(id);
  };
  return {
    ...app,
    readOrganization,
    reads: {
      async read<T>(key: Key) {
        const place = placeOf(key);
        if (place === null) return await app.reads.read<T>(key);
        return (await replicas.withRows(await readOrganization(place.realmId), place)).get<T>(key);
      },
    },
  };
}
