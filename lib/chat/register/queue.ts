import type { Key } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { DEFAULT_IDLE_SECONDS, type Registration } from "./params.ts";

/** What a client that registered is to be told; it is gone when nobody asks for so long. */
export interface QueueRecord {
  readonly user_id: number;
  /** Null: all. */
  readonly event_types: readonly string[] | null;
  /** Those that Sotto knows and the client has. */
  readonly client_capabilities: readonly ClientCapability[];
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly slim_presence: boolean;
  readonly all_public_streams: boolean;
  readonly include_subscribers: boolean | "partial";
  readonly narrow: Registration["narrow"];
  /** Milliseconds since 1970 UTC, before the state that the client was given was read. */
  readonly created_at: number;
  /** Milliseconds. */
  readonly idle_timeout: number;
}

/** What clients can do that changes what they are told. */
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
] as const;
/** One of them. */
export type ClientCapability = typeof CLIENT_CAPABILITIES[number];

/** Where queues lie in the store. */
export const queueKeys = {
  queues: (realmId: number): Key => [realmId, "queue"],
  queue: (realmId: number, id: string): Key => [realmId, "queue", id],
};

/** Makes a queue and gives its id, which nobody can guess. */
export async function addQueue(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number },
  sent: Registration,
): Promise<string> {
  const id = crypto.randomUUID();
  const queue = toQueue(sent, { userId, now: app.clock.now() });
  await transact(app.store, (tx) => {
    tx.set(queueKeys.queue(realmId, id), queue, { expireIn: queue.idle_timeout });
    return Promise.resolve();
  });
  return id;
}

function toQueue(sent: Registration, { userId, now }: { userId: number; now: number }): QueueRecord {
  const { apply_markdown, client_gravatar, slim_presence, all_public_streams } = sent;
  return {
    user_id: userId,
    event_types: sent.event_types === undefined ? null : [...new Set(sent.event_types)],
    client_capabilities: capabilitiesOf(sent),
    apply_markdown,
    client_gravatar,
    slim_presence,
    all_public_streams,
    include_subscribers: sent.include_subscribers,
    narrow: sent.narrow,
    created_at: now,
    // 0 stands for what is usual, so that the older name counts where the newer one is 0.
    idle_timeout: (sent.idle_queue_timeout || sent.queue_lifespan_secs || DEFAULT_IDLE_SECONDS) * 1000,
  };
}

/** What Sotto knows of what the client says that it can do. */
export function capabilitiesOf({ client_capabilities }: Registration): ClientCapability[] {
  return CLIENT_CAPABILITIES.filter((name) => client_capabilities[name] === true);
}
