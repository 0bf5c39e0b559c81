import { countValues, type ValueCount } from "@/lib/chat/profile_fields/count_values.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "./admin_request.ts";

/** How long counts may be shown in a large organization: they are a listing of everybody's values. */
const KEPT_MS = 15_000;
/** Accounts up to which counting takes no time worth mentioning. */
const FEW_ACCOUNTS = 1000;

/** How many people there are, and how many of them have a value of each field, by its id. */
export interface FillCounts {
  /** Active people, bots left out. */
  readonly people: number;
  readonly accounts: number;
  readonly byField: ReadonlyMap<number, ValueCount>;
}

/** How far the fields are filled in: as it is now, or in organizations of more than 1000 accounts at most 15 seconds ago. */
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
