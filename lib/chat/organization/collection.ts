import { AppError, type ErrorDetails } from "@/lib/core/errors.ts";
import { type Key, toEntry, toValue } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "./app.ts";
import { compareIndex, type Complain, type Index, indexBelow } from "./check_index.ts";

/** Records per read of the store: few reads, each with at most 4 MB of records of maximum length. */
const BATCH = 50;

export interface Owner {
  readonly realm: { readonly id: number };
  readonly actingUser: { readonly id: number };
}

/** Returns the owner of the records of a user. */
export function ownerOf(realmId: number, userId: number): Owner {
  return { realm: { id: realmId }, actingUser: { id: userId } };
}

/** Records that users own, each in a row of its own, with the number of those of each user. */
interface CollectionSpec<R> {
  /** Name of the rows in keys: `[organization, name, user, id]`. */
  readonly name: string;
  /** Name of the records in reports of `admin check`. */
  readonly plural: string;
  /** Maximum number of records of one user. */
  readonly max: number;
  /** Refusal of more records. */
  readonly full: (max: number) => string;
  /** Refusal of an unknown id, with the status 404 unless other details are given. */
  readonly missing: string;
  readonly missingDetails?: ErrorDetails;
  /**
   * Time at which a record is due, in milliseconds since 1970 UTC; null for one that does not wait. Such records have
   * rows in a queue of the server.
   */
  readonly dueAt?: (record: R) => number | null;
}

/** Row of a record that waits, as its key identifies it. */
export interface DueRow {
  readonly due: number;
  readonly realmId: number;
  readonly userId: number;
  readonly id: number;
}

/** Returns the prefix of the queue of a collection's records that wait, in the order of their times. */
export function dueQueue(name: string): Key {
  return [`${name}_due`];
}

/** Returns the row that a key of a queue identifies. */
export function parseDueKey(key: Key): DueRow {
  const [, due, realmId, userId, id] = toValue<readonly [string, number, number, number, number]>(key);
  return { due, realmId, userId, id };
}

/** A collection as its specification declares it. It writes to the transaction that it is given. */
export class Collection<R extends { readonly id: number }> {
  readonly max: number;
  readonly #spec: CollectionSpec<R>;

  constructor(spec: CollectionSpec<R>) {
    this.#spec = spec;
    this.max = spec.max;
  }

  key({ realm, actingUser }: Owner, id: number): Key {
    return [realm.id, this.#spec.name, actingUser.id, id];
  }

  /** Returns the key of the number of records; it is missing for 0. */
  countKey({ realm, actingUser }: Owner): Key {
    return [realm.id, `${this.#spec.name}_count`, actingUser.id];
  }

  /** Returns the key of the row of a record that waits. */
  dueKey({ due, realmId, userId, id }: DueRow): Key {
    return [...dueQueue(this.#spec.name), due, realmId, userId, id];
  }

  /** Returns the name of the in-process lock for changes. */
  lock({ realm, actingUser }: Owner): string {
    return `${this.#spec.name} ${realm.id} ${actingUser.id}`;
  }

  /** Lists the records, the oldest first. */
  list({ store }: Pick<ChatApp, "store">, { realm, actingUser }: Owner): Promise<R[]> {
    return listValues<R>(store.kv, [realm.id, this.#spec.name, actingUser.id], { batchSize: BATCH });
  }

  /** Yields the records of all users of an organization, ordered by user. */
  async *listAll(kv: Kv, realmId: number): AsyncGenerator<{ userId: number; record: R }> {
    for await (const entry of kv.list({ prefix: [realmId, this.#spec.name] }, { batchSize: BATCH })) {
      const { key, value } = toEntry<R>(entry);
      yield { userId: Number(key[2]), record: value };
    }
  }

  /** @throws AppError BAD_REQUEST when the owner has no such record. */
  async get(tx: Pick<Tx, "get">, owner: Owner, id: number): Promise<R> {
    const { missing, missingDetails = { status: 404 } } = this.#spec;
    const record = Number.isSafeInteger(id) ? await tx.get<R>(this.key(owner, id)) : null;
    if (record === null) throw new AppError("BAD_REQUEST", missing, missingDetails);
    return record;
  }

  /** @throws AppError BAD_REQUEST when the owner has the maximum number. */
  async add(tx: Tx, owner: Owner, record: R): Promise<void> {
    const { max, full } = this.#spec;
    const count = await tx.get<number>(this.countKey(owner)) ?? 0;
    if (count >= max) throw new AppError("BAD_REQUEST", full(max));
    tx.set(this.countKey(owner), count + 1);
    this.#put(tx, owner, record);
  }

  replace(tx: Tx, owner: Owner, { before, after }: { before: R; after: R }): void {
    this.#deleteRows(tx, owner, before);
    this.#put(tx, owner, after);
  }

  async delete(tx: Tx, owner: Owner, record: R): Promise<void> {
    this.#deleteRows(tx, owner, record);
    const count = (await tx.get<number>(this.countKey(owner)) ?? 1) - 1;
    if (count > 0) tx.set(this.countKey(owner), count);
    else tx.delete(this.countKey(owner));
  }

  #put(tx: Tx, owner: Owner, record: R): void {
    const due = this.#spec.dueAt?.(record) ?? null;
    if (due !== null) tx.set(this.dueKey(toDueRow(due, owner, record)), true);
    tx.set(this.key(owner, record.id), record);
  }

  #deleteRows(tx: Tx, owner: Owner, record: R): void {
    const due = this.#spec.dueAt?.(record) ?? null;
    if (due !== null) tx.delete(this.dueKey(toDueRow(due, owner, record)));
    tx.delete(this.key(owner, record.id));
  }

  /** Compares the counts and the queue of an organization with its records. */
  async check(kv: Kv, realmId: number, complain: Complain): Promise<void> {
    const { name, plural, dueAt } = this.#spec;
    const counts = new Map<number, number>();
    const waiting: [string, unknown][] = [];
    for await (const { userId, record } of this.listAll(kv, realmId)) {
      counts.set(userId, (counts.get(userId) ?? 0) + 1);
      const due = dueAt?.(record) ?? null;
      if (due !== null) waiting.push([`${due} ${userId} ${record.id}`, true]);
    }
    compareIndex(complain, `counts of ${plural}`, {
      wanted: Array.from(counts, ([userId, count]) => [String(userId), count]),
      found: await indexBelow(kv, [realmId, `${name}_count`]),
    });
    if (dueAt === undefined) return;
    const rows = await this.#listDueRows(kv, realmId);
    compareIndex(complain, `due rows of ${plural}`, { wanted: waiting, found: rows });
  }

  async #listDueRows(kv: Kv, realmId: number): Promise<Index> {
    const rows: [string, unknown][] = [];
    for await (
      const { key, value } of kv.list({ prefix: [...dueQueue(this.#spec.name)] }, { batchSize: 500 })
    ) {
      const { due, userId, id, ...row } = parseDueKey(key);
      if (row.realmId === realmId) rows.push([`${due} ${userId} ${id}`, value]);
    }
    return rows;
  }
}

function toDueRow(due: number, { realm, actingUser }: Owner, { id }: { readonly id: number }): DueRow {
  return { due, realmId: realm.id, userId: actingUser.id, id };
}

/** Maximum length of a list as JSON in UTF-16 units, so that it fits into one record. */
const MAX_UNITS = 28_000;

/** A list that is so short that it is one record, which is missing while the list is empty. */
export class StoredList<T, O> {
  readonly max: number;
  readonly #spec: ListSpec<O>;

  constructor(spec: ListSpec<O>) {
    this.#spec = spec;
    this.max = spec.max;
  }

  async get(tx: Pick<Tx, "get">, owner: O): Promise<readonly T[]> {
    return await tx.get<readonly T[]>(this.#spec.key(owner)) ?? [];
  }

  /** Returns the list outside of a transaction. */
  async read({ reads }: Pick<ChatApp, "reads">, owner: O): Promise<readonly T[]> {
    return await reads.read<readonly T[]>(this.#spec.key(owner)) ?? [];
  }

  /** @throws AppError BAD_REQUEST when it grows beyond the maximum. */
  put(tx: Tx, owner: O, { before, after }: { before: readonly T[]; after: readonly T[] }): void {
    const { max, full } = this.#spec;
    const isFull = after.length > max && after.length > before.length;
    if (isFull || countUnits(after) > Math.max(MAX_UNITS, countUnits(before))) {
      throw new AppError("BAD_REQUEST", full(max));
    }
    if (after.length === 0) tx.delete(this.#spec.key(owner));
    else tx.set(this.#spec.key(owner), after);
  }

  /** Returns the name of the in-process lock for changes. */
  lock(owner: O): string {
    return this.#spec.key(owner).join(" ");
  }
}

interface ListSpec<O> {
  readonly key: (owner: O) => Key;
  readonly max: number;
  /** Refusal of more values. */
  readonly full: (max: number) => string;
}

function countUnits(list: readonly unknown[]): number {
  return JSON.stringify(list).length;
}
