import { countValues, type ValueCount } from "@/lib/chat/profile_fields/change_fields.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Time for which counts are cached in large organizations, in milliseconds: counting lists all values. */
const KEPT_MS = 15_000;
/** Number of accounts up to which counting is fast. */
const FEW_ACCOUNTS = 1000;

/** Number of users, and of those with a value of each field by its id. */
export interface FillCounts {
  /** Active users without bots. */
  readonly people: number;
  readonly accounts: number;
  readonly byField: ReadonlyMap<number, ValueCount>;
}

/**
 * Counts how many users have filled in each field; in organizations of more than 1000 accounts up to 15
 * seconds old.
 */
export async function readFillCounts(request: AdminRequest): Promise<FillCounts> {
  const { chat, realm } = request;
  const period = Math.floor(chat.clock.now() / KEPT_MS);
  const made: FillCounts[] = [];
  const kept = await chat.caches.get(`profile fill counts ${realm.id}`, period, async () => {
    const counts = await count(request);
    made.push(counts);
    return counts;
  });
  return made.includes(kept) || kept.accounts > FEW_ACCOUNTS ? kept : await count(request);
}

async function count({ chat, realm }: AdminRequest): Promise<FillCounts> {
  const [users, byField] = await Promise.all([listUsers(chat, realm.id), countValues(chat, realm.id)]);
  const people = users.filter(({ is_active, bot_type }) => is_active && bot_type === null).length;
  return { people, accounts: users.length, byField };
}
