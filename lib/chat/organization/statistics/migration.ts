import { type Key, keyName, toEntry, toValue } from "@/lib/store/key.ts";
import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { retryLocked } from "@/lib/store/retry.ts";

/*
 * Sums of records as version 17 of the store has them. Keys and kinds are written here, because a migration does not
 * depend on code that changes later.
 */

const DAY_MS = 86_400_000;

class SumSlice {
  readonly #sums = new Map<string, { key: Key; amount: bigint }>();

  constructor(readonly kv: Kv, readonly realmId: number) {}

  get sums(): Iterable<{ readonly key: Key; readonly amount: bigint }> {
    return this.#sums.values();
  }

  /** Adds to a sum; `key` follows the id of the organization. */
  add(key: Key, amount: number): void {
    const name = keyName(key);
    const sum = this.#sums.get(name) ?? { key: [this.realmId, ...key], amount: 0n };
    this.#sums.set(name, { ...sum, amount: sum.amount + BigInt(amount) });
  }

  addDay(
    measure: string,
    time: number,
    { part, amount = 1 }: { part: string | number; amount?: number },
  ): void {
    this.add(["day_sum", measure, Math.floor(time / DAY_MS), part], amount);
  }

  /** Reads records of the organization by their keys; each distinct key once. */
  async read<T>(keys: readonly Key[]): Promise<ReadonlyMap<string, T>> {
    const distinct = [...new Map(keys.map((key) => [keyName(key), key]))];
    const entries = await readMany<T>(this.kv, distinct.map(([, key]) => [this.realmId, ...key]));
    return new Map(
      entries.flatMap(({ value }, at) => value === null ? [] : [[distinct[at]?.[0] ?? "", value]]),
    );
  }
}

/** Kind of records, and how they add to the sums. */
interface SumSource {
  /** Key part of the records, after the organization's id; their ids follow. */
  readonly records: string;
  readonly addSums: (slice: SumSlice, records: readonly unknown[]) => Promise<void> | void;
}

/** Sources of the sums, in the order of the migration. */
const SUM_SOURCES: readonly SumSource[] = [
  { records: "message", addSums: (slice, found) => addMessages(slice, toValue(found)) },
  { records: "user", addSums: (slice, found) => addUsers(slice, toValue(found)) },
  { records: "invite", addSums: (slice, found) => addInvites(slice, toValue(found)) },
  { records: "upload", addSums: (slice, found) => addUploads(slice, toValue(found)) },
];

interface StoredMessage {
  readonly channel_id: number | null;
  /** Channel that the message was sent to, while it is in another one. */
  readonly read_channel_id?: number;
  readonly conversation_id: number | null;
  readonly sent_at: number;
}

async function addMessages(slice: SumSlice, messages: readonly StoredMessage[]): Promise<void> {
  const toKey = ({ channel_id, read_channel_id, conversation_id }: StoredMessage): Key => {
    const sentTo = read_channel_id ?? channel_id;
    return sentTo === null ? ["conversation", conversation_id ?? 0] : ["channel", sentTo];
  };
  const locations = await slice.read<{ invite_only?: boolean; user_ids?: number[] }>(messages.map(toKey));
  for (const message of messages) {
    const key = toKey(message);
    const location = locations.get(keyName(key));
    const [kind, id = 0] = key;
    if (kind === "conversation") {
      const part = (location?.user_ids?.length ?? 0) > 2 ? "group" : "direct";
      slice.addDay("messages", message.sent_at, { part });
      continue;
    }
    slice.addDay("messages", message.sent_at, {
      part: location?.invite_only === false ? "public" : "private",
    });
    slice.addDay("channel_messages", message.sent_at, { part: Number(id) });
  }
}

interface StoredUser {
  readonly delivery_email: string;
  readonly bot_type: number | null;
  readonly date_joined: number;
}

interface StoredInvite {
  readonly email: string;
  readonly offer_id: number;
  readonly state: string;
  /** Link that the invitation is a personal join link of. */
  readonly via_link_id: number | null;
}

/** Of an accepted invitation no time is stored; it is that at which its address joined. */
async function addUsers(slice: SumSlice, users: readonly StoredUser[]): Promise<void> {
  const people = users.filter(({ bot_type }) => bot_type === null);
  const invited = await findInvited(slice, people.map(({ delivery_email }) => delivery_email));
  for (const { date_joined, delivery_email } of people) {
    slice.addDay("joining", date_joined, { part: "joined" });
    if (invited.has(delivery_email)) slice.addDay("joining", date_joined, { part: "accepted" });
  }
}

/** Returns those of the addresses that accepted an email invitation. */
async function findInvited(slice: SumSlice, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const toKey = (address: string): Key => ["invite_of_address", fold(address)];
  const idsByAddress = await slice.read<readonly number[]>(addresses.map(toKey));
  const invites = await slice.read<StoredInvite>(
    [...idsByAddress.values()].flat().map((id) => ["invite", id]),
  );
  const isInvited = (address: string) =>
    idsByAddress.get(keyName(toKey(address)))?.some((id) => {
      const invite = invites.get(keyName(["invite", id]));
      return invite?.state === "accepted" && invite.via_link_id === null;
    });
  return new Set(addresses.filter(isInvited));
}

/** Invitations without an offer were never sent. */
async function addInvites(slice: SumSlice, invites: readonly StoredInvite[]): Promise<void> {
  const sent = invites.filter(({ via_link_id }) => via_link_id === null);
  const toKey = ({ offer_id }: StoredInvite): Key => ["invite_offer", offer_id];
  const offers = await slice.read<{ created_at: number }>(sent.map(toKey));
  for (const invite of sent) {
    const offer = offers.get(keyName(toKey(invite)));
    if (offer !== undefined) slice.addDay("joining", offer.created_at, { part: "invited" });
  }
  const links = invites.filter(({ via_link_id, state }) => via_link_id !== null && state === "accepted");
  await addLinked(slice, links.map(({ email }) => email));
}

/** Counts addresses that joined by a reusable link; those with an accepted email invitation count as invited. */
async function addLinked(slice: SumSlice, addresses: readonly string[]): Promise<void> {
  const toKey = (address: string): Key => ["user_by_email", fold(address)];
  const ids = await slice.read<number>(addresses.map(toKey));
  const users = await slice.read<StoredUser>([...ids.values()].map((id) => ["user", id]));
  const invited = await findInvited(slice, addresses);
  for (const address of addresses) {
    const user = users.get(keyName(["user", ids.get(keyName(toKey(address))) ?? 0]));
    if (user === undefined || invited.has(address)) continue;
    slice.addDay("joining", user.date_joined, { part: "linked" });
  }
}

function fold(address: string): string {
  return address.trim().toLowerCase();
}

function addUploads(
  slice: SumSlice,
  uploads: readonly { size: number; content_type: string; created_at: number }[],
): void {
  for (const { size, content_type, created_at } of uploads) {
    const kind = kindOf(content_type);
    slice.addDay("bytes_added", created_at, { part: kind, amount: size });
    slice.add(["storage_sum", kind], size);
  }
}

const DOCUMENTS =
  /^application\/(pdf|rtf|msword|epub\+zip|vnd\.(ms-(excel|powerpoint|word)|openxmlformats-|oasis\.opendocument\.))/;

function kindOf(contentType: string): string {
  const [family = ""] = contentType.split("/");
  if (family === "image" || family === "video" || family === "audio") return family;
  return family === "text" || DOCUMENTS.test(contentType) ? "document" : "other";
}

const VERSION_KEY = ["schema_version"];
/** Version after the migration of which these sums are the last part. */
const VERSION = 17;
const PROGRESS_KEY = ["day_sum_progress"];

/** Next slice: records of an organization after an id. */
interface Progress {
  readonly realmId: number;
  /** Position in SUM_SOURCES. */
  readonly source: number;
  readonly after: number;
}

/**
 * Counts stored messages, users, invitations and uploads by day. Each commit adds the sums of a slice of records and
 * moves the progress, which it checks: an interrupted migration continues where it was, and several processes take
 * turns. The last commit writes the version, so no record is counted again; processes serve, and count what they
 * store, after that.
 */
export async function addDaySums({ kv }: Store): Promise<void> {
  for (;;) {
    const version = await kv.get<number>(VERSION_KEY);
    if ((version.value ?? 1) >= VERSION) return;
    const progress = await kv.get<Progress>(PROGRESS_KEY);
    const next = await findNext(kv, progress.value);
    const atomic = kv.atomic().check(version, progress);
    if (next === null) atomic.set(VERSION_KEY, VERSION).delete(PROGRESS_KEY);
    else await addSlice(kv, atomic, next);
    // A failed check means that another process took this step.
    await retryLocked(() => atomic.commit());
  }
}

/** Returns the next slice, in the first organization that is left; null after the last one. */
async function findNext(kv: Kv, progress: Progress | null): Promise<Progress | null> {
  const realms = { prefix: ["realm"], start: ["realm", progress?.realmId ?? 0] };
  for await (const { key: [, realmId] } of kv.list(realms, { limit: 1 })) {
    if (progress !== null && realmId === progress.realmId) return progress;
    return { realmId: Number(realmId), source: 0, after: 0 };
  }
  return null;
}

/** Adds the sums of the next slice, and the progress after it, to a commit. */
async function addSlice(
  kv: Kv,
  atomic: AtomicOperation,
  { realmId, source, after }: Progress,
): Promise<void> {
  const { records = "", addSums } = SUM_SOURCES[source] ?? {};
  const slice = new SumSlice(kv, realmId);
  const found = await listRecords(kv, [realmId, records], after);
  await addSums?.(slice, found.map(({ value }) => value));
  for (const { key, amount } of slice.sums) atomic.sum(key, amount);
  const last = found.at(-1)?.key.at(-1);
  const isLastSource = source + 1 >= SUM_SOURCES.length;
  const next: Progress = found.length === RECORDS_AT_ONCE
    ? { realmId, source, after: Number(last) }
    : isLastSource
    ? { realmId: realmId + 1, source: 0, after: 0 }
    : { realmId, source: source + 1, after: 0 };
  atomic.set(PROGRESS_KEY, next);
}

/** Records of a slice; each adds to two sums at most, and a commit takes a thousand. */
const RECORDS_AT_ONCE = 400;

function listRecords(kv: Kv, prefix: Key, after: number) {
  const selector = { prefix, start: [...prefix, after + 1] };
  const records = kv.list(selector, { limit: RECORDS_AT_ONCE, batchSize: 100 });
  return Array.fromAsync(records, (entry) => toEntry<unknown>(entry));
}
