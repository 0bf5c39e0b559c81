import type { Clock } from "@/lib/core/clock.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import type { Worker } from "@/lib/core/worker.ts";
import type { ImageResizer } from "@/lib/images/image_resizer.ts";
import type { BatchedReads } from "@/lib/store/reads.ts";
import type { Cache } from "@/lib/store/cache.ts";
import type { ChangeQueue } from "@/lib/store/change_queue.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatConfig } from "./config.ts";
import type { StoredEvent } from "./events/model.ts";
import type { UploadRecord } from "./files/model.ts";
import type { RealmRecord } from "./organizations/model.ts";
import type { PermissionContext } from "./permissions/model/membership.ts";
import type { Caller, UserRecord } from "./users/model.ts";

export interface SentMessage {
  readonly id: number;
  /** Policy that sending gave the sender for the topic; null when it stayed. */
  readonly newPolicy: number | null;
}

export interface KeyChecker {
  /**
   * Returns whether a key is that of an account, of which null is a missing one. Right keys are remembered, as
   * deriving them takes as long as the rest of a short request; a wrong key costs the same for every account.
   */
  isKeyOf(
    realmId: number,
    user: { readonly id: number; readonly key_generation: number } | null,
    key: string,
  ): boolean;
}

/** Records on which day API keys were last used. */
export interface KeyUseRecorder {
  /** Settles once the use is stored; the first use of a day writes. A store that fails does not fail the call. */
  record(realmId: number, user: { readonly id: number; readonly key_generation: number }): Promise<void>;
}

/** Records the activity of people and stores it in the background; a sweep stores all of it. */
export interface ActivityRecorder extends Worker {
  /** Records that a user is active now; ignores bots, and everyone where the organization stores no presence. */
  record(
    realm: { readonly id: number; readonly settings: { readonly presence_disabled: boolean } },
    user: { readonly id: number; readonly bot_type: number | null },
  ): void;
}

/** Indexes the words of messages in the background. */
export interface WordIndexer extends Worker {
  /** Announces that a message of an organization was committed. */
  messageSent(realmId: number): void;
  /** Announces that words of a message changed; the index reflects them soon after. */
  contentChanged(realmId: number): void;
  /** Settles once few enough messages of an organization are not indexed. */
  waitForIndex(realmId: number): Promise<void>;
}

/** Requested destination of a message: a channel by id or name with a topic, or users by id. */
export type MessageTarget =
  | { readonly kind: "channel"; readonly channel: number | string; readonly topic: string }
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

/** A message of the notification bot. */
export interface Notice {
  readonly target: MessageTarget;
  /** Markdown. */
  readonly text: string;
  /** User whose action the notice reports: it is read by them, if they can read it. */
  readonly readBy?: UserRecord | undefined;
}

/** A change of groups, users or both that affects metadata access to channels. */
export interface MetadataAccessChange {
  readonly before: PermissionContext;
  readonly after: PermissionContext;
  /** Users before and after the change; the same record if only groups changed. */
  readonly users: readonly { readonly before: UserRecord; readonly after: UserRecord }[];
  /** Limits the check to channels that some of these groups have metadata access to. */
  readonly groupIds?: ReadonlySet<number>;
}

/** Users who are deactivated or reactivated together. */
export interface ActivationChange {
  readonly userIds: ReadonlySet<number>;
  readonly isActive: boolean;
}

/**
 * Effects in higher groups (tests/helpers/layers.ts) of what lower ones change. The higher group registers them in
 * `createChatApp`; what is passed a transaction is part of its commit.
 */
export interface ChatHooks {
  /** Sends a message as the notification bot; returns its id, or null if sending failed: the cause stays. */
  readonly sendNotice: (app: ChatApp, realm: RealmRecord, notice: Notice) => Promise<number | null>;
  /** Returns the events of users who gain or lose metadata access to channels. */
  readonly toMetadataAccessEvents: (
    app: ChatApp,
    change: MetadataAccessChange,
  ) => Promise<readonly StoredEvent[]>;
  /** Returns the events of channels whose permissions name users that are deactivated or reactivated. */
  readonly toChannelActivationEvents: (
    app: ChatApp,
    permissions: PermissionContext,
    change: ActivationChange,
  ) => Promise<readonly StoredEvent[]>;
  /** Turns the synchronization of a user's drafts on or off; turning it off empties the list of drafts. */
  readonly setDraftSync: (tx: Tx, owner: { realmId: number; userId: number }, isOn: boolean) => Promise<void>;
  /** Deletes the drafts of a user that are not in the list, after the commit that emptied it. */
  readonly deleteUnlistedDrafts: (app: ChatApp, realmId: number, userId: number) => Promise<void>;
}

/** Services of the chat; the first argument of its functions. */
export interface ChatApp {
  readonly hooks: ChatHooks;
  readonly store: Store;
  readonly clock: Clock;
  /** Time of creation, in milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly config: ChatConfig;
  readonly passwords: PasswordHasher;
  /** At least 32 bytes; API keys and sealed secrets are derived from it. */
  readonly secretKey: Uint8Array;
  readonly keys: KeyChecker;
  readonly keyUses: KeyUseRecorder;
  readonly activity: ActivityRecorder;
  /** Returns an organization as it is now, or as it was at some time within the request. */
  readonly readOrganization: (realmId: number) => Promise<Snapshot>;
  /** Batches reads outside transactions from concurrent requests. */
  readonly reads: BatchedReads;
  /** Values that this process keeps in memory besides organizations: messages, lists of ids, texts of responses. */
  readonly cache: Cache;
  readonly images: ImageResizer;
  /** Ids of organizations by subdomain; they never change. */
  readonly realmIds: Map<string, number>;
  /** Commits messages in batches; ids ascend in the order of the commits. */
  readonly messageCommitter: ChangeQueue<SentMessage>;
  readonly wordIndexer: WordIndexer;
  /** Commits presence reports in batches; numbers ascend in the order of the commits. */
  readonly presenceCommitter: ChangeQueue<number>;
  /** Commits uploads in batches. */
  readonly uploadCommitter: ChangeQueue<UploadRecord>;
  /** Reports a failure that no caller learns. */
  readonly report: (problem: string, error: unknown) => void;
  /** Wakes the mailer when mails may be waiting. */
  readonly wakeMailer: () => void;
  /** Wakes the notifier when push notifications may be waiting. */
  readonly wakeNotifier: () => void;
  /** Wakes the sender of outgoing webhooks when messages may be waiting. */
  readonly wakeWebhooks: () => void;
  /** Wakes the worker for changes of many accounts when some may be waiting. */
  readonly wakeBulkActions: () => void;
  /** Wakes the worker for data exports when some may be waiting. */
  readonly wakeExports: () => void;
}

/** Application, transaction and organization of a change. */
export interface ChangeContext {
  readonly app: ChatApp;
  readonly tx: Tx;
  readonly realm: RealmRecord;
  /** Absent for the operator's commands, and where users join. */
  readonly actingUser?: UserRecord;
  /** Id of the audit entry that the change reverts. */
  readonly reverts?: string | undefined;
}

export type ActionContext = Caller & ChangeContext;
