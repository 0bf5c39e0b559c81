import type { BouncerApp } from "@/lib/bouncer/remote_server.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import type { Worker } from "@/lib/core/worker.ts";
import type { ImageResizer } from "@/lib/images/image_resizer.ts";
import type { BatchedReads } from "@/lib/store/reads.ts";
import type { Cache } from "@/lib/store/cache.ts";
import type { ChangeQueue } from "@/lib/store/change_queue.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { UploadRecord } from "./files/model.ts";

/** A video call service that is reached through OAuth 2. */
export interface VideoProvider {
  /** Display name. */
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly authorize_url: string;
  readonly token_url: string;
  readonly create_url: string;
  /** Field of the response that holds the call's address, if it is not a common one. */
  readonly url_field?: string | undefined;
}

/** Chat configuration, set by the operator. */
export interface ChatConfig {
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Keys of signed tokens, by the organization's subdomain. */
  readonly jwtAuthKeys: Readonly<
    Record<string, { readonly key: string; readonly algorithms: readonly string[] }>
  >;
  /** Greatest age of a signed token in seconds; 0 allows any, also tokens without a time of issue. */
  readonly jwtMaxAgeSeconds: number;
  /** Whether email reaches its recipients; otherwise it is written to files, or waits. */
  readonly isMailDelivered: boolean;
  readonly invitationLinkValidityMinutes: number;
  /** Maximum number of reads of the store that one request of an account makes to find messages. */
  readonly searchMaxReads: number;
  /** Allowed requests per number of seconds; null disables the limits. */
  readonly rateLimits:
    | Readonly<Record<"invitations" | "mail_recipient", { points: number; seconds: number }>>
    | null;
  readonly webPublicStreamsEnabled: boolean;
  readonly canAccessAllUsersGroupLimitsPresence: boolean;
  readonly uploadMaxMib: number;
  /** Video call service of this server; null for none. */
  readonly videoProvider: VideoProvider | null;
  /** Maximum total size of an organization's uploads in MiB; 0 means without limit. */
  readonly uploadQuotaMib: number;
  /** Address of the push bouncer, without a trailing slash, and this server's credentials for it. */
  readonly pushBouncerUrl: string | null;
  readonly pushOrgId: string | null;
  readonly pushOrgKey: string | null;
  /** Internal addresses and CIDR ranges that outgoing webhooks may reach. */
  readonly webhookInternalNetworks: readonly string[];
  /** Keys of this server's own bouncer; empty when it runs none. */
  readonly pushBouncerKeys: BouncerApp["keys"];
}

/** A message that was stored. */
export interface SentMessage {
  readonly id: number;
  /** Policy that sending gave the sender for the topic; null when it stayed. */
  readonly newPolicy: number | null;
}

/** Checks API keys. */
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
  record(
    realmId: number,
    user: { readonly id: number; readonly key_generation: number },
  ): Promise<void>;
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
  makeRoom(realmId: number): Promise<void>;
}

/** Services of the chat; the first argument of its functions. */
export interface ChatApp {
  readonly store: Store;
  readonly clock: Clock;
  /** Time of creation, in milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly config: ChatConfig;
  readonly passwords: PasswordHasher;
  /** At least 32 bytes; API keys and sealed secrets are derived from it. */
  readonly secretKey: Uint8Array;
  /** Checks the API keys of accounts. */
  readonly keys: KeyChecker;
  readonly keyUses: KeyUseRecorder;
  readonly activity: ActivityRecorder;
  /** Returns an organization as it is now, or as it was at some time within the request. */
  readonly readOrganization: (realmId: number) => Promise<Snapshot>;
  /** Batches reads outside transactions from concurrent requests. */
  readonly reads: BatchedReads;
  /** Values that this process keeps in memory besides organizations: messages, lists of ids, texts of answers. */
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
