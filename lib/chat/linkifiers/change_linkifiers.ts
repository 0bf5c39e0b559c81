import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import { noteLinkifiers } from "./note_linkifiers.ts";
import { linkifierKeys, type LinkifierRecord, MAX_LINKIFIERS_BYTES } from "./linkifier.ts";

/**
 * Lets an administrator change an organization's linkifiers and tells everybody all of them; `change` gives what is to
 * be, or the very list that it was given to leave it.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, BAD_REQUEST when they become too large, and what `change` throws.
 */
export async function changeLinkifiers(
  app: ChatApp,
  { realm, actingUser }: Caller,
  change: (all: readonly LinkifierRecord[], tx: Tx) => Promise<readonly LinkifierRecord[]>,
): Promise<void> {
  await transact(app.store, async (tx) => {
    requireAdmin(await getUser(tx, realm.id, actingUser.id));
    const key = linkifierKeys.all(realm.id);
    const before = await tx.get<readonly LinkifierRecord[]>(key) ?? [];
    const all = await change(before, tx);
    if (all === before) return;
    if (all.reduce((sum, linkifier) => sum + storedSize(linkifier), 0) > MAX_LINKIFIERS_BYTES) {
      throw new AppError(
        "BAD_REQUEST",
        `Linkifiers may take ${MAX_LINKIFIERS_BYTES} bytes together at most.`,
      );
    }
    tx.set(key, all);
    const version = linkifierKeys.version(realm.id);
    tx.set(version, (await tx.get<number>(version) ?? 0) + 1);
    const event = { type: "realm_linkifiers", realm_linkifiers: all };
    const at = { realmId: realm.id, now: app.clock.now() };
    noteLinkifiers(tx, at, { actor: actingUser, before, after: all });
    sendEvent(tx, at, { event, audience: "everyone" });
  }, `linkifiers ${realm.id}`);
}

/** The store writes a text with two bytes for each unit as soon as one of them needs two. */
function storedSize(linkifier: LinkifierRecord): number {
  const json = JSON.stringify(linkifier);
  return /[\u0100-\uffff]/.test(json) ? 2 * json.length : json.length;
}

/** The refusal of an id that is no linkifier's. */
export function linkifierNotFound(): AppError {
  return new AppError("BAD_REQUEST", "Linkifier not found.");
}
