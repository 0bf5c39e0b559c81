import { countValues, type ValueCount } from "@/lib/chat/profile_fields/count_values.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "./admin_request.ts";

/** How long counts of everybody's values may be shown: they are a listing of the whole organization. */
const KEPT_MS = 15_000;

/** How many people there are, and how many of them have a value of each field, by its id. */
export interface FillCounts {
  /** Active people, bots left out. */
  readonly people: number;
  readonly byField: ReadonlyMap<number, ValueCount>;
}

/** How far the fields are filled in; at most 15 seconds old. */
export async function readFillCounts({ chat, realm }: AdminRequest): Promise<FillCounts> {
  const period = Math.floor(chat.clock.now() / KEPT_MS);
  return await chat.caches.get(`profile fill counts ${realm.id}`, period, async () => {
    const [users, byField] = await Promise.all([listUsers(chat, realm.id), countValues(chat, realm.id)]);
    const people = users.filter(({ is_active, bot_type }) => is_active && bot_type === null).length;
    return { people, byField };
  });
}
