import { durably } from "../store/durably.ts";
import { toValue } from "../store/key.ts";
import type { Store } from "../store/open.ts";

/** Journals that the previous version merged before it read them. */
const MERGED = "visit_merged";
/** State of the previous version's ranking. */
const RANK_STEP = ["link_rank_step"];

/**
 * Migrates from version 9 to 10: journals of visits stay, because the compactor of the log reads them, and merged
 * ones become journals again. Each moves in a commit of its own, so an interruption loses and doubles nothing.
 */
export async function startVisitLog(store: Store): Promise<void> {
  for await (
    const entry of store.kv.list<readonly { last: number }[]>({ prefix: [MERGED] }, { batchSize: 20 })
  ) {
    const { key, value } = entry;
    const name = `${toValue<string>(key[1])}-${String(key[2])}`;
    // If the check fails, another process moved it.
    await durably(
      store,
      () =>
        store.kv.atomic().check(entry).delete(key).set(["visit_journal", value[0]?.last ?? 0, name], value)
          .commit(),
    );
  }
  await durably(store, () => store.kv.delete(RANK_STEP));
}
