import type { Key } from "@/lib/store/key.ts";

/** Features that a client can declare and that change the shape of what it receives. */
export const CLIENT_CAPABILITIES = [
  "notification_settings_null",
  "bulk_message_deletion",
  "user_avatar_url_field_optional",
  "stream_typing_notifications",
  "user_settings_object",
  "linkifier_url_template",
  "user_list_incomplete",
  "include_deactivated_groups",
  "archived_channels",
  "empty_topic_name",
  "simplified_presence_events",
  "individual_emoji_changes",
] as const;
/** A feature that a client can declare. */
export type ClientCapability = typeof CLIENT_CAPABILITIES[number];

/** A term of a queue's narrow as the client sent it. */
export type QueueNarrowTerm =
  | string[]
  | { readonly operator: string; readonly operand: string; readonly negated?: boolean | undefined };

/** A registered client's queue: the events to deliver, and their shape. It expires when it is not polled. */
export interface QueueRecord {
  readonly user_id: number;
  /** Null: every type. */
  readonly event_types: readonly string[] | null;
  /** Capabilities of the client, without those that Sotto does not know. */
  readonly client_capabilities: readonly ClientCapability[];
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly slim_presence: boolean;
  readonly all_public_streams: boolean;
  readonly include_subscribers: boolean | "partial";
  readonly narrow: readonly QueueNarrowTerm[];
  /** Milliseconds since 1970 UTC, before the initial state of the client was read. */
  readonly created_at: number;
  /** Milliseconds. */
  readonly idle_timeout: number;
  /** Id of the last event that the client acknowledged; null: every event committed before this record. */
  readonly position: number | null;
  /** Time before which every event was delivered, in milliseconds since 1970 UTC. */
  readonly position_at: number;
  /**
   * Time of the last recorded poll, in milliseconds since 1970 UTC; at most a minute behind the actual one.
   */
  readonly touched_at: number;
}

/** Maximum number of queues per account; the one that was idle longest is removed to make room. */
export const MAX_QUEUES = 1000;
/** Milliseconds between two writes that record a poll. */
export const TOUCH_MS = 60_000;
/** Seconds after which a queue that is not polled expires, unless the client asks for another timeout. */
export const DEFAULT_IDLE_SECONDS = 600;

/** Keys of the queues. */
export const queueKeys = {
  queue: (realmId: number, id: string): Key => [realmId, "queue", id],
  /** Prefix of the times at which each queue of an account was last polled, by queue id. */
  ofUser: (realmId: number, userId: number): Key => [realmId, "user_queue", userId],
};

/** Returns whether a text has the form of a queue id. */
export function isQueueId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

/**
 * Returns how long a record lives that is not written again, in milliseconds: polls are recorded late, and
 * clients wait.
 */
export function queueLifetime({ idle_timeout }: Pick<QueueRecord, "idle_timeout">): number {
  return idle_timeout + 3 * TOUCH_MS;
}

/** Returns the declared capabilities that Sotto knows. */
export function listKnownCapabilities(declared: Readonly<Record<string, boolean>>): ClientCapability[] {
  return CLIENT_CAPABILITIES.filter((name) => declared[name] === true);
}
