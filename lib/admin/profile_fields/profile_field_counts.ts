import { countValues, type ValueCount } from "@/lib/chat/profile_fields/change_fields.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Time for which counts are cached in large organizations, in milliseconds: counting lists all values. */
const KEPT_MS = 15_000;
/** Number of accounts up to which counting is fast. */
const FEW_ACCOUNTS = 1000;
/** Estimated memory of a field's count, in bytes. */
const FIELD_BYTES = 200;

/** Number of users, and of those with a value of each field by its id. */
interface FillCounts {
  /** Active users without bots. */
  readonly people: number;
  readonly byField: ReadonlyMap<number, ValueCount>;
}

/**
 * Counts how many users have filled in each field; in organizations of more than 1000 accounts up to 15
 * seconds old.
 */
export async function readFillCounts({ chat, realm }: AdminRequest): Promise<FillCounts> {
  const users = await listUsers(chat, realm.id);
  const people = users.filter(({ is_active, bot_type }) => is_active && bot_type === null).length;
  const count = async () => {
    const byField = await countValues(chat, realm.id);
    return { people, byField, size: FIELD_BYTES * byField.size };
  };
  if (users.length <= FEW_ACCOUNTS) return await count();
  const period = Math.floor(chat.clock.now() / KEPT_MS);
  return await chat.cache.get(`profile fill counts ${realm.id}`, [period], count);
}
