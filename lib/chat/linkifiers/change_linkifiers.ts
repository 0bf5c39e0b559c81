import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditLinkifiers, sendLinkifiersEvent } from "./events.ts";
import { linkifierKeys, type LinkifierRecord, MAX_LINKIFIERS_BYTES } from "./model/linkifier.ts";

/**
 * Replaces an organization's linkifiers as an administrator, with the audit entries and the event. `change`
 * returns the new list, or the same array to leave it unchanged.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, BAD_REQUEST when the list becomes too large, and anything `change`
 * throws.
 */
export async function changeLinkifiers(
  app: ChatApp,
  caller: Caller,
  change: LinkifiersChange,
): Promise<void> {
  const work = (tx: Tx) => applyLinkifiersChange({ app, tx, ...caller }, change);
  await transact(app.store, work);
}

/** Returns the new list of linkifiers, or the same array to leave it unchanged. */
export type LinkifiersChange = (
  linkifiers: readonly LinkifierRecord[],
  tx: Tx,
) => Promise<readonly LinkifierRecord[]>;

/**
 * Replaces an organization's linkifiers within a transaction, with the audit entries and the event.
 * @throws AppError as `changeLinkifiers`.
 */
export async function applyLinkifiersChange(
  { app, tx, realm, actingUser }: ActionContext,
  change: LinkifiersChange,
): Promise<void> {
  const actor = await getActingAdmin(tx, { realm, actingUser });
  const key = linkifierKeys.all(realm.id);
  const before = await tx.get<readonly LinkifierRecord[]>(key) ?? [];
  const after = await change(before, tx);
  if (after === before) return;
  if (after.reduce((sum, linkifier) => sum + storedSize(linkifier), 0) > MAX_LINKIFIERS_BYTES) {
    throw new AppError(
      "BAD_REQUEST",
      `Linkifiers may take ${MAX_LINKIFIERS_BYTES} bytes together at most.`,
    );
  }
  tx.set(key, after);
  const at = { realmId: realm.id, now: app.clock.now() };
  auditLinkifiers(tx, at, { actor, before, after });
  sendLinkifiersEvent(tx, at, after);
}

/**
 * Returns the bytes that a linkifier takes in the store, which writes two for each UTF-16 unit of non-Latin-1
 * text.
 */
function storedSize(linkifier: LinkifierRecord): number {
  const json = JSON.stringify(linkifier);
  return /[\u0100-\uffff]/.test(json) ? 2 * json.length : json.length;
}

/** Creates the error for an id that belongs to no linkifier. */
export function linkifierNotFound(): AppError {
  return new AppError("BAD_REQUEST", "Linkifier not found.");
}
