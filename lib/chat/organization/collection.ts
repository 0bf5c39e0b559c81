import { AppError, type ErrorDetails } from "@/lib/core/errors.ts";
import { toNameForm } from "@/lib/core/names.ts";
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
    const { max, full, fullDetails } = this.#spec;
    const isFull = after.length > max && after.length > before.length;
    if (isFull || countUnits(after) > Math.max(MAX_UNITS, countUnits(before))) {
      throw new AppError("BAD_REQUEST", full(max), fullDetails);
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
  /** Details of this refusal. */
  readonly fullDetails?: ErrorDetails;
}

/** A list of ids in ascending order. */
export class StoredIds<O> extends StoredList<number, O> {
  /** Adds or removes an id and returns the list; does nothing without a change. */
  async toggle(tx: Tx, owner: O, { id, isIn }: { id: number; isIn: boolean }): Promise<readonly number[]> {
    const before = await this.get(tx, owner);
    if (before.includes(id) === isIn) return before;
    const after = isIn ? [...before, id].sort((a, b) => a - b) : before.filter((other) => other !== id);
    this.put(tx, owner, { before, after });
    return after;
  }
}

interface NamesSpec {
  /** Name of the records in keys: `[organization, name_by_name, …]` and `[organization, name_by_form, …]`. */
  readonly name: string;
  /** Name of the records in reports of `admin check`. */
  readonly plural: string;
  /** Returns a name in the form in which names are compared. */
  readonly fold: (name: string) => string;
  /** Whether names that differ in letter case may exist side by side. */
  readonly keepsCase?: boolean;
  /** Refusal of a name that another record has, or one that looks the same. */
  readonly taken: (name: string) => AppError;
}

/** A change of a name; null for a record without one before or after. */
interface NameChange {
  readonly id: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** The unique names of an organization's records: the id of each by its name, and by the form of its name. */
export class StoredNames {
  readonly #spec: NamesSpec;

  constructor(spec: NamesSpec) {
    this.#spec = spec;
  }

  key(realmId: number, name: string): Key {
    return [realmId, `${this.#spec.name}_by_name`, this.#spec.fold(name)];
  }

  #formKey(realmId: number, name: string): Key {
    const { keepsCase = false } = this.#spec;
    return [realmId, `${this.#spec.name}_by_form`, toNameForm(name, { keepsCase })];
  }

  /** Returns the id of the record with a name; null if there is none. */
  find(tx: Pick<Tx, "get">, realmId: number, name: string): Promise<number | null> {
    return tx.get<number>(this.key(realmId, name));
  }

  /** @throws AppError when another record has the new name, or one that looks the same. */
  async change(tx: Tx, realmId: number, { id, before, after }: NameChange): Promise<void> {
    if (before === after) return;
    const owner = after === null ? id : await this.find(tx, realmId, after) ?? id;
    const isClaimed = await this.#claimForm(tx, realmId, { id, before, after });
    if (after !== null && (owner !== id || !isClaimed)) throw this.#spec.taken(after);
    if (before !== null) tx.delete(this.key(realmId, before));
    if (after !== null) tx.set(this.key(realmId, after), id);
  }

  /** Returns whether no other record has a name of the form of the new one, and moves the entry then. */
  async #claimForm(tx: Tx, realmId: number, { id, before, after }: NameChange): Promise<boolean> {
    const released = before === null ? null : this.#formKey(realmId, before);
    const claimed = after === null ? null : this.#formKey(realmId, after);
    // Names of an earlier version may share a form; their owners can still change its letter case, for example.
    if (released?.at(-1) === claimed?.at(-1)) return true;
    const owner = claimed === null ? null : await tx.get<number>(claimed);
    if (owner !== null && owner !== id) return false;
    if (released !== null && await tx.get<number>(released) === id) tx.delete(released);
    if (claimed !== null) tx.set(claimed, id);
    return true;
  }

  /** Compares the names and their forms with the records that have a name. */
  async check(
    kv: Kv,
    { realmId, named }: { realmId: number; named: readonly { id: number; name: string }[] },
    complain: Complain,
  ): Promise<void> {
    const { name: kind, plural, fold, keepsCase = false } = this.#spec;
    compareIndex(complain, `names of ${plural}`, {
      wanted: named.map(({ name, id }) => [fold(name), id]),
      found: await indexBelow(kv, [realmId, `${kind}_by_name`]),
    });
    const found = await indexBelow(kv, [realmId, `${kind}_by_form`]);
    const owners = new Map(found);
    const wanted = Array.from(
      Map.groupBy(named, ({ name }) => toNameForm(name, { keepsCase })),
      ([form, alike]): [string, unknown] => {
        // Names of an earlier version may look the same; one of them has the entry.
        return [form, (alike.find(({ id }) => id === owners.get(form)) ?? alike[0])?.id];
      },
    );
    compareIndex(complain, `forms of ${plural}' names`, { wanted, found });
  }
}

function countUnits(list: readonly unknown[]): number {
  return JSON.stringify(list).length;
}
