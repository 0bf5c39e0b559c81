import { AUDIT_LIFETIME_MS } from "@/lib/chat/organization/audit/store.ts";
import { SESSION_LIFETIME_MS } from "@/lib/chat/people/auth/sessions.ts";
import { BULK_ACTION_KEPT_MS } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { RESUMABLE_UPLOAD_MS } from "@/lib/chat/organization/files/model.ts";
import { inviteKeys, RETENTION_MS } from "@/lib/chat/joining/invites/model.ts";
import { DELIVERY_KEPT_MS } from "@/lib/chat/people/webhooks.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, readEntry, toValue } from "@/lib/store/key.ts";
import { FAILED_KEPT_MS } from "@/lib/mail/queue.ts";
import { listAll } from "@/lib/store/reads.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { retryReads } from "@/lib/store/retry.ts";

export interface CopiedEntry {
  readonly key: Key;
  readonly value: unknown;
}

interface CopyContext {
  readonly kv: Kv;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Returns when an entry expires, in milliseconds since 1970 UTC; null for never. */
type ExpiryRule = (entry: CopiedEntry, context: CopyContext) => Promise<number | null> | number | null;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Time that counts of a period are kept, which is longer than the periods of the limits. */
const COUNT_KEPT_MS = 30 * DAY_MS;

/** Families of keys below an organization's id, by their second part. */
const REALM_FAMILIES: Readonly<Record<string, ExpiryRule>> = {
  audit: after("time", AUDIT_LIFETIME_MS),
  audit_by: after("time", AUDIT_LIFETIME_MS),
  audit_of: after("time", AUDIT_LIFETIME_MS),
  audit_by_of: after("time", AUDIT_LIFETIME_MS),
  // The id begins with the time.
  audit_values: ({ key }) => Number.parseInt(String(key[2])) + AUDIT_LIFETIME_MS,
  audit_reverted: after("time", AUDIT_LIFETIME_MS),
  bulk_action: fromNow(BULK_ACTION_KEPT_MS),
  bulk_action_items: fromNow(BULK_ACTION_KEPT_MS),
  call_state: after("expires_at", 0),
  confirmation: after("expires_at", 0),
  invite: ({ key, value }, context) => afterOffer(key, toValue<InviteTimes>(value), context),
  invite_day: fromNow(COUNT_KEPT_MS),
  invite_link: ({ key, value }, context) => afterOffer(key, toValue<InviteTimes>(value), context),
  invite_offer: ({ value }) => afterExpiry(toValue<InviteTimes>(value).expires_at ?? null),
  invite_resent: fromNow(COUNT_KEPT_MS),
  pending_email: after("expires_at", 0),
  report_count: fromNow(2 * DAY_MS),
  resumable: after("created_at", RESUMABLE_UPLOAD_MS),
  session: after("created_at", SESSION_LIFETIME_MS),
  sign_in_link: after("expires_at", 0),
  user_session: afterSession,
  webhook_delivery: after("updated_at", DELIVERY_KEPT_MS),
};

/** Other families of keys, by their first part. */
const OTHER_FAMILIES: Readonly<Record<string, ExpiryRule>> = {
  mail_failed: after("failed_at", FAILED_KEPT_MS),
  rate_limit: after("endsAt", 0),
};

/**
 * Families that have a meaning only in the store that they were written to: queues and their events by the versions
 * of its commits, changes of organizations that its processes apply, and the states of its commits and imports. Clients register their queues anew.
 */
const REALM_BOUND = ["change", "event", "queue", "user_queue"];
const OTHER_BOUND = ["commit_gate", "import"];

/** Whether an entry remains in its store when the store is copied. */
export function isStoreBound(key: Key): boolean {
  const [first, second] = key;
  return typeof first === "number"
    ? REALM_BOUND.includes(String(second))
    : OTHER_BOUND.includes(String(first));
}

/** Whether entries with a key may be written with an expiry. */
export function isExpiring(key: Key): boolean {
  return isStoreBound(key) || findRule(key) !== undefined;
}

/**
 * Returns when an entry expires, in milliseconds since 1970 UTC; null for never. No store returns it, so it is
 * calculated from the entry as its writer did. Where the entry does not hold the time, it is kept as long again.
 */
export async function getExpiry(entry: CopiedEntry, context: CopyContext): Promise<number | null> {
  return await findRule(entry.key)?.(entry, context) ?? null;
}

function findRule([first, second]: Key): ExpiryRule | undefined {
  const [families, name] = typeof first === "number"
    ? [REALM_FAMILIES, String(second)]
    : [OTHER_FAMILIES, String(first)];
  return Object.hasOwn(families, name) ? families[name] : undefined;
}

/** Rule of entries that expire some time after the time that a field holds. */
function after(field: string, keptMs: number): ExpiryRule {
  return ({ value }, { now }) => {
    const time = toValue<Readonly<Record<string, unknown>>>(value)[field];
    return (typeof time === "number" ? time : now) + keptMs;
  };
}

/** Rule of entries that do not hold their time. */
function fromNow(keptMs: number): ExpiryRule {
  return (_entry, { now }) => now + keptMs;
}

async function afterSession({ key }: CopiedEntry, { kv, now }: CopyContext): Promise<number> {
  const [realmId = 0, , , id = ""] = key;
  const { value } = await readEntry<{ created_at: number }>(kv, [realmId, "session", id]);
  return (value?.created_at ?? now) + SESSION_LIFETIME_MS;
}

/** Fields of an invitation, a link or an offer. */
interface InviteTimes {
  readonly offer_id: number;
  readonly expires_at?: number | null;
}

/** An invitation without a time of its own expires with its offer. */
async function afterOffer(
  [realmId]: Key,
  { offer_id, expires_at }: InviteTimes,
  { kv, now }: CopyContext,
): Promise<number | null> {
  if (typeof expires_at === "number") return afterExpiry(expires_at);
  const { value } = await readEntry<InviteTimes>(kv, inviteKeys.offer(Number(realmId), offer_id));
  return afterExpiry(value === null ? now : value.expires_at ?? null);
}

function afterExpiry(expiresAt: number | null): number | null {
  return expiresAt === null ? null : expiresAt + RETENTION_MS;
}

export interface TimedEntry extends CopiedEntry {
  /** Milliseconds since 1970 UTC; null for never. */
  readonly expiresAt: number | null;
}

/** Lists the entries that a copy of a store has, in the order of keys. */
export async function* listCopied(kv: Kv): AsyncGenerator<TimedEntry> {
  for await (const { key, value } of listAll(kv)) {
    if (isStoreBound(key)) continue;
    const expiresAt = await retryReads(() => getExpiry({ key, value }, { kv, now: systemClock.now() }));
    yield { key, value, expiresAt };
  }
}
