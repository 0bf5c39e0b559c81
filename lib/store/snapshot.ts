import { deserialize, serialize } from "node:v8";
import type { Key } from "./key.ts";
import { toValue } from "./key.ts";
import { CORE_KINDS, isWhole, type Place, placeOf, type Portion, portionOf } from "./resident.ts";
import { Table } from "./table.ts";

/** A row that a change set, or deleted: then the value is undefined. */
export interface ChangedRow {
  readonly key: Key;
  readonly value: unknown;
}

/** The version of an organization, and the versionstamp of the row that holds it; "" before the first change. */
export interface Version {
  readonly version: number;
  readonly stamp: string;
}

/** Returns the key of an organization's version, which every change of a row that is kept in memory counts up. */
export function versionKey(realmId: number): Key {
  return [realmId, "version"];
}

type Tables = ReadonlyMap<string, Table<unknown>>;

/**
 * The rows of an organization that are kept in memory, as they were at one version. A snapshot never changes, so all
 * that is decided on it is decided on one moment.
 */
export class Snapshot implements Version {
  readonly realmId: number;
  readonly version: number;
  readonly stamp: string;
  /** By kind; the table of a kind that is kept by parts holds a table for each part. */
  readonly #tables: Tables;
  /** Values outside these rows that stay until a later version, by the texts of their keys. */
  readonly settled = new Map<string, unknown>();
  #hasCore: boolean | null = null;

  constructor(realmId: number, { version, stamp }: Version, tables: Tables = new Map()) {
    this.realmId = realmId;
    this.version = version;
    this.stamp = stamp;
    this.#tables = tables;
  }

  /** Whether the rows are in memory that are loaded with the organization. */
  get hasCore(): boolean {
    return this.#hasCore ??= CORE_KINDS.every((kind) => this.#tables.has(kind));
  }

  /** Returns the rows below a prefix, which are in memory; the caller names their type. */
  rows<T>(prefix: Key): Table<T> {
    const table = this.find(portionOf(prefix));
    if (table === null) throw new Error(`The rows below ${String(prefix[1])} are not in memory`);
    return toValue<Table<T>>(table);
  }

  /** Returns the row under a key, or null; the caller names its type. */
  get<T>(key: Key): T | null {
    const place = placeOf(key);
    const table = place === null ? null : this.find(place);
    if (place === null || table === null) throw new Error(`The row ${String(key[1])} is not in memory`);
    return toValue<T | undefined>(table.get(place.id)) ?? null;
  }

  /** Returns the rows among which a row is kept; null while they are not in memory. */
  find({ kind, part }: Portion): Table<unknown> | null {
    const table = this.#tables.get(kind) ?? null;
    return table === null || part === null
      ? table
      : toValue<Table<unknown> | undefined>(table.get(part)) ?? null;
  }

  /** Returns the snapshot with rows of the same moment that were not in memory; without them for null. */
  withRows({ kind, part }: Portion, rows: Table<unknown> | null): Snapshot {
    const tables = new Map(this.#tables);
    if (part !== null) {
      const parts = tables.get(kind) ?? Table.of<unknown>(new Map());
      tables.set(kind, parts.with(part, rows ?? undefined));
    } else if (rows === null) tables.delete(kind);
    else tables.set(kind, rows);
    return new Snapshot(this.realmId, this, tables);
  }

  /** Returns the snapshot after a change; `rows` is null for one that is too large to be applied. */
  after(version: Version, rows: readonly ChangedRow[] | null): Snapshot {
    if (rows === null) return new Snapshot(this.realmId, version);
    const tables = new Map(this.#tables);
    for (const row of rows) {
      const place = placeOf(row.key);
      const table = place === null ? undefined : tables.get(place.kind);
      if (place !== null && table !== undefined) tables.set(place.kind, changeTable(table, place, row.value));
    }
    return new Snapshot(this.realmId, version, tables);
  }
}

function changeTable(table: Table<unknown>, place: Place, value: unknown): Table<unknown> {
  if (isWhole(place.kind) || place.part === null) return table.with(place.id, value);
  const part = toValue<Table<unknown> | undefined>(table.get(place.part));
  return part === undefined ? table : table.with(place.part, part.with(place.id, value));
}

/** Returns the rows of a kind, or of a part of it, after a change. */
export function changeRows(
  rows: Table<unknown>,
  { kind, part }: Portion,
  changed: readonly ChangedRow[],
): Table<unknown> {
  let result = rows;
  for (const { key, value } of changed) {
    const place = placeOf(key);
    if (place?.kind === kind && place.part === part) result = result.with(place.id, value);
  }
  return result;
}

/** A stored row of a counter, which loses its class in bytes. */
interface StoredRow {
  readonly key: Key;
  readonly value?: unknown;
  readonly sum?: bigint;
}

/** Returns the bytes of a change's rows, for its record. */
export function encodeRows(rows: readonly ChangedRow[]): Uint8Array {
  const stored = rows.map(({ key, value }): StoredRow =>
    value instanceof Deno.KvU64 ? { key, sum: value.value } : { key, value }
  );
  return serialize(stored);
}

/** Returns the rows that `encodeRows` wrote. */
export function decodeRows(bytes: Uint8Array): readonly ChangedRow[] {
  return toValue<readonly StoredRow[]>(deserialize(bytes)).map(({ key, value, sum }) => ({
    key,
    value: sum === undefined ? value : new Deno.KvU64(sum),
  }));
}
