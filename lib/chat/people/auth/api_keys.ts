import type { ChatApp, KeyUseRecorder } from "@/lib/chat/organization/app.ts";
import { type EventContext, sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { act } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { type Clock, dayOf } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createLru } from "@/lib/core/lru.ts";
import type { BatchedReads } from "@/lib/store/reads.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { type Key, keyText } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";
import { type ApiKeyOwner, deriveApiKey } from "./model.ts";

/** @throws AppError INVALID_API_KEY when the caller's key was replaced in the meantime. */
export async function regenerateApiKey(app: ChatApp, caller: Caller): Promise<{ api_key: string }> {
  return await act(app, caller, async (context) => {
    const { realm, actingUser: before } = context;
    if (before.key_generation !== caller.actingUser.key_generation) {
      throw new AppError("INVALID_API_KEY", "Invalid API key");
    }
    return { api_key: deriveApiKey(app, realm.id, await rotateApiKey(context, before)) };
  });
}

/** Replaces an API key. The event to the account and to a bot's owner does not contain the key. */
export async function rotateApiKey(context: EventContext, user: UserRecord): Promise<UserRecord> {
  const changed = { ...user, key_generation: user.key_generation + 1 };
  await putUser(context.tx, context.realm.id, changed);
  const event = { type: "api_key", op: "regenerate", user_id: user.id };
  sendChangeEvent(context, event, [user.id, user.bot_owner_id].filter((id) => id !== null));
  return changed;
}

/** Latest day on which an account used its API key. */
interface KeyUse {
  readonly generation: number;
  /** Whole days since 1970 UTC. */
  readonly day: number;
}

/** Number of accounts whose use of the day is remembered. */
const MAX_KNOWN = 10_000;
/** Maximum number of uses in a commit, which checks each of them. */
const MAX_USES = 50;

function keyOfUse(realmId: number, userId: number): Key {
  return [realmId, "api_key_use", userId];
}

/** Returns the day of the latest use of the current API key, in days since 1970 UTC; null for none. */
export async function readKeyUseDay(
  { reads }: { readonly reads: BatchedReads },
  realmId: number,
  { id, key_generation }: ApiKeyOwner,
): Promise<number | null> {
  const use = await reads.read<KeyUse>(keyOfUse(realmId, id));
  return use !== null && use.generation === key_generation ? use.day : null;
}

/**
 * Creates a recorder of the uses of API keys. The first request of an account on a day writes, others find the day in
 * memory or, in another process, in the store; requests that arrive together share the commit.
 */
export function createKeyUseRecorder(
  { store, reads, clock }: { store: Store; reads: BatchedReads; clock: Clock },
): KeyUseRecorder {
  const known = createLru<string, string>(MAX_KNOWN);
  const queue = new CommitQueue<RecordedUse, null>({
    maxItems: MAX_USES,
    commit: async (uses) => {
      const byKey = new Map(uses.map((use) => [keyText(use.key), use]));
      await transact(store, async (tx) => {
        for (const { key, use } of byKey.values()) {
          if (isNewer(use, await tx.get<KeyUse>(key))) tx.set(key, use);
        }
      });
      return uses.map(() => null);
    },
  });
  return {
    async record(realmId, { id, key_generation: generation }) {
      const day = dayOf(clock.now());
      const [name, use] = [`${realmId} ${id}`, `${generation} ${day}`];
      if (known.get(name) === use) return;
      const key = keyOfUse(realmId, id);
      try {
        const stored = await reads.read<KeyUse>(key);
        if (isNewer({ generation, day }, stored)) await queue.submit({ key, use: { generation, day } });
        known.set(name, use);
      } catch {
        // A store that cannot be written must not fail a request that only reads. The next request tries again.
      }
    },
  };
}

interface RecordedUse {
  readonly key: Key;
  readonly use: KeyUse;
}

/** Whether a use is later than the stored one, also when the clocks of processes differ. */
function isNewer(use: KeyUse, stored: KeyUse | null): boolean {
  if (stored === null || use.generation > stored.generation) return true;
  return use.generation === stored.generation && use.day > stored.day;
}
