import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { type Key, keyText, toValue } from "@/lib/store/key.ts";
import type { StoredEvent } from "@/lib/chat/organization/events/model.ts";

/** Kinds of rows of what users have read, starred and collapsed. */
const FLAG_KINDS: ReadonlySet<unknown> = new Set([
  ...["read", "read_direct", "read_all", "read_channel", "unread"],
  ...["starred", "collapsed"],
]);
/** Types of events with which a commit may change flags, the end of queues included. */
const EVENT_TYPES: readonly string[] = ["update_message_flags", "update_message", "queue_end"];

/** Commits of a store that changed flags of messages. */
export interface FlagCommits {
  /** Number of commits with an event for each user. */
  readonly count: number;
  /** The rows of each of the others. */
  readonly withoutEvent: readonly string[];
}

/** A row that a commit sets or deletes; the value of a deleted one is undefined. */
type Written = readonly [key: Key, value: unknown];

/**
 * Watches the commits of a store from now on. Flags of new messages are not read unless such an event waits for the
 * receiver, so each commit that changes flags of a user must hold one for them.
 */
export function watchFlagCommits(kv: Kv): FlagCommits {
  const withoutEvent: string[] = [];
  const commits = { count: 0, withoutEvent };
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const written: Written[] = [];
    const [set, remove, commit] = [
      operation.set.bind(operation),
      operation.delete.bind(operation),
      operation.commit.bind(operation),
    ];
    return Object.assign(operation, {
      set(...sent: Parameters<AtomicOperation["set"]>) {
        written.push([sent[0], sent[1]]);
        set(...sent);
        return operation;
      },
      delete(key: Key) {
        written.push([key, undefined]);
        remove(key);
        return operation;
      },
      async commit() {
        const result = await commit();
        const problems = listProblems(written);
        if (problems === null || !result.ok) return result;
        if (problems.length === 0) commits.count++;
        withoutEvent.push(...problems);
        return result;
      },
    });
  };
  return commits;
}

/** Lists the rows of flags of users for whom a commit has no event; null if it has no such rows. */
function listProblems(written: readonly Written[]): string[] | null {
  const flags = written.filter(([[, kind]]) => FLAG_KINDS.has(kind));
  if (flags.length === 0) return null;
  const events = written.filter(([[, kind], value]) => kind === "event" && value !== undefined)
    .map(([, value]) => toValue<StoredEvent>(value))
    .filter(({ event }) => EVENT_TYPES.includes(event.type));
  return flags.filter(([[, , userId]]) => !events.some((event) => mayReach(event, userId)))
    .map(([key]) => keyText(key));
}

function mayReach({ audience }: StoredEvent, userId: unknown): boolean {
  return typeof audience === "string" || "channel" in audience || audience.some((id) => id === userId);
}
