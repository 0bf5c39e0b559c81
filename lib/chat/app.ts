import type { BouncerApp } from "@/lib/bouncer/app.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import type { BatchedReads } from "@/lib/kv/batched_reads.ts";
import type { JointCommitter } from "@/lib/kv/joint_commit.ts";
import type { Store } from "@/lib/kv/open.ts";
import type { VersionedCache } from "@/lib/kv/versioned_cache.ts";

/** A service that makes video calls, reached by OAuth 2. */
export interface VideoProvider {
  /** What people call it. */
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly authorize_url: string;
  readonly token_url: string;
  readonly create_url: string;
  /** The member of its answer that holds the call's address, where it is not one of the usual ones. */
  readonly url_field?: string | undefined;
}

/** What the operator decides about the chat. */
export interface ChatConfig {
  /** The public address, without a final slash. */
  readonly baseUrl: string;
  /** Keys of signed tokens by the organization's subdomain. */
  readonly jwtAuthKeys: Readonly<
    Record<string, { readonly key: string; readonly algorithms: readonly string[] }>
  >;
  readonly invitationLinkValidityMinutes: number;
  /** How many requests of a kind are let through in how many seconds; null where nothing is limited. */
  readonly rateLimits: Readonly<Record<"invitations", { points: number; seconds: number }>> | null;
  readonly webPublicStreamsEnabled: boolean;
  readonly canAccessAllUsersGroupLimitsPresence: boolean;
  readonly uploadMaxMib: number;
  /** Who makes video calls for this server; null: nobody. */
  readonly videoProvider: VideoProvider | null;
  /** MiB that an organization's uploads take together; 0 is no bound. */
  readonly uploadQuotaMib: number;
  /** The bouncer that hands notifications on, without a final slash, and what this server is known to it by. */
  readonly pushBouncerUrl: string | null;
  readonly pushOrgId: string | null;
  readonly pushOrgKey: string | null;
  /** The keys of this server's own bouncer; none: it is no bouncer. */
  readonly pushBouncerKeys: BouncerApp["keys"];
}

/** Everything that the chat works with; the first argument of its functions. */
export interface ChatApp {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: ChatConfig;
  readonly passwords: PasswordHasher;
  /** 32 bytes or more; API keys and sealed secrets come from it. */
  readonly secretKey: Uint8Array;
  /** Reads outside transactions that many requests make at the same time. */
  readonly reads: BatchedReads;
  readonly caches: VersionedCache;
  /** Ids of organizations by subdomain, which never change. */
  readonly realmIds: Map<string, number>;
  /** Ids of users by organization and folded address; checked against the record whenever it is used. */
  readonly userIds: UserIdCache;
  /** Sends messages, many in one commit; their ids ascend in the order of the commits. */
  readonly sends: JointCommitter<number>;
  /** Keeps reports of presence, many in one commit; their numbers ascend in the order of the commits. */
  readonly presences: JointCommitter<number>;
  /** Tells the mailer that there may be something to send. */
  readonly wakeMailer: () => void;
  /** Tells the notifier that there may be devices to be told of a message. */
  readonly wakeNotifier: () => void;
}

/** Remembered ids: a wrong or missing one costs a read, nothing else. */
export interface UserIdCache {
  get(realmId: number, address: string): number | undefined;
  set(realmId: number, address: string, userId: number): void;
}
