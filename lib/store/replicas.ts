import { chunk } from "es-toolkit/array/chunk";
import { LRUCache } from "lru-cache";
import type { Kv } from "./kv.ts";
import { createEntryReads, type ReadEntry } from "./reads.ts";
import { type Key, keyName, keyText, toEntry, toValue } from "./key.ts";
import { CORE_KINDS, type Place, placeOf, type Portion, rowsOf } from "./resident.ts";
import { type ChangedRow, changeRows, decodeRows, Snapshot, type Version, versionKey } from "./snapshot.ts";
import { Rests, Turns } from "./turns.ts";
import { type RowId, Table } from "./table.ts";

/** Time for which the record of a change is kept, in milliseconds; a process that is further behind loads anew. */
const CHANGE_KEPT_MS = 10 * 60_000;
/** Number of changes up to which a process applies them. */
const MAX_BEHIND = 1000;
/** Maximum size of the record of a change, in bytes; processes load anew after a larger one. */
const MAX_CHANGE_BYTES = 192 * 1024;
/** Size of a piece of a record, in bytes; the store takes values of 65,536. */
const PIECE_BYTES = 60 * 1024;
/** Maximum number of writes that record a change: its pieces and the version. */
export const MAX_RECORDS = Math.ceil(MAX_CHANGE_BYTES / PIECE_BYTES) + 1;
/** Maximum number of rows in memory, of all organizations; a row takes some 400 bytes. */
const MAX_ROWS = 600_000;
/** Rows that are read at a time. */
const BATCH = 250;
/** Kinds of rows that are loaded at a time. */
const KINDS_AT_ONCE = 3;

/** One piece of the record of a change: its number, and how many there are; 0 for a change that was too large. */
interface ChangePiece {
  readonly pieces: number;
  readonly bytes: Uint8Array;
}

/** A change as it was recorded; `rows` is null where it was too large. */
interface RecordedChange {
  readonly version: number;
  readonly rows: readonly ChangedRow[] | null;
}

/** Options of the entries that record a change. */
export const CHANGE_OPTIONS = { expireIn: CHANGE_KEPT_MS };

/** Returns the entries that record the change that leads to a version; the commit has `room` for that many bytes. */
export function recordChange(
  { realmId, version, bytes }: { realmId: number; version: number; bytes: Uint8Array },
  room: number,
): ReadonlyMap<Key, ChangePiece> {
  const key = [realmId, "change", version];
  if (bytes.length > Math.min(MAX_CHANGE_BYTES, room)) {
    return new Map([[[...key, 0], { pieces: 0, bytes: new Uint8Array(0) }]]);
  }
  const pieces = Math.ceil(bytes.length / PIECE_BYTES);
  return new Map(
    Array.from({ length: pieces }, (_, at) => {
      // A copy, because the store writes all the memory that a view belongs to.
      const piece = new Uint8Array(bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES));
      return [[...key, at], { pieces, bytes: piece }] as const;
    }),
  );
}

/** Reads of the store that replicas make. */
type Reads = Pick<Kv, "getMany" | "list">;

/** The rows of one organization that are in memory. */
class Replica {
  snapshot: Snapshot;
  /** Changes since rows began to be read, for each reading. */
  readonly readings = new Set<RecordedChange[]>();
  readonly turns = new Turns();
  readonly rests = new Rests();
  /** Settles when the changes that are being read are applied. */
  advancing: Promise<void> | null = null;
  readonly loading = new Map<string, Promise<void>>();

  constructor(realmId: number, version: Version) {
    this.snapshot = new Snapshot(realmId, version);
  }

  apply(stamp: string, change: RecordedChange): void {
    this.snapshot = this.snapshot.after({ version: change.version, stamp }, change.rows);
    for (const reading of this.readings) reading.push(change);
  }
}

/**
 * The organizations that this process has in memory. Each is current at the moment of a request: the request reads the
 * organization's version, and the changes since the one in memory are applied from their records.
 */
export class Replicas {
  readonly #kv: Reads;
  readonly #readEntry: ReadEntry;
  readonly #replicas = new Map<number, Replica>();
  /** Rows in memory, by organization or part of one: the least recently used go first. */
  readonly #used: LRUCache<string, { readonly realmId: number; readonly part: Portion | null }>;

  constructor(kv: Reads, maxRows = MAX_ROWS) {
    this.#kv = kv;
    this.#readEntry = createEntryReads(kv);
    this.#used = new LRUCache({
      maxSize: maxRows,
      dispose: ({ realmId, part }, _name, reason) => {
        if (reason === "evict") this.#drop(realmId, part);
      },
    });
  }

  /** Returns an organization as it is now: all that was committed before the call is in it. */
  async current(realmId: number): Promise<Snapshot> {
    const before = this.#replicas.get(realmId)?.snapshot.stamp ?? "";
    const { value, versionstamp } = await this.#readVersion(realmId);
    const version = { version: value ?? 0, stamp: versionstamp ?? "" };
    let replica = this.#replicas.get(realmId);
    if (replica === undefined) this.#replicas.set(realmId, replica = new Replica(realmId, version));
    // A version before one that was known belongs to a store that was put back to an earlier state.
    if (version.stamp < before) {
      this.#apply(replica, version.stamp, { version: version.version, rows: null });
    }
    await this.#reach(replica, version);
    return await this.#withCore(replica);
  }

  /** Returns an organization as this process last knew it; reads nothing but what is not in memory. */
  async known(realmId: number): Promise<Snapshot> {
    const replica = this.#replicas.get(realmId);
    return replica === undefined ? await this.current(realmId) : await this.#withCore(replica);
  }

  /** Returns a snapshot that holds the rows of a place: the given one, or a later one. */
  async withRows(snapshot: Snapshot, place: Portion): Promise<Snapshot> {
    if (snapshot.find(place) !== null) {
      this.#used.get(nameOf(place));
      return snapshot;
    }
    const replica = this.#replicas.get(place.realmId);
    if (replica === undefined) throw new Error(`Organization ${place.realmId} is not in memory`);
    while (replica.snapshot.find(place) === null || !replica.snapshot.hasCore) {
      await Promise.all([this.#load(replica, place), this.#loadCore(replica)]);
    }
    const loaded = replica.snapshot;
    // Counted once the snapshot is known, as this may remove its rows from memory again.
    this.#count(loaded, place);
    return loaded;
  }

  /** Returns the current row under a key, or null; the caller names its type. */
  async read<T>(key: Key, place: Place): Promise<T | null> {
    const snapshot = await this.withRows(await this.current(place.realmId), place);
    return snapshot.get<T>(key);
  }

  /** Whether this process knows of no change since a snapshot. */
  isLatest({ realmId, stamp }: Snapshot): boolean {
    return this.#replicas.get(realmId)?.snapshot.stamp === stamp;
  }

  /** Runs a commit that changes an organization while no other of this process does, or one that relies on it. */
  async inTurn<T>(realmId: number, isChange: boolean, commit: () => Promise<T>): Promise<T> {
    const replica = this.#replicas.get(realmId);
    if (replica === undefined) return await commit();
    const inTurn = () => replica.turns.run(isChange, commit);
    return isChange ? await replica.rests.run(inTurn) : await inTurn();
  }

  /** Applies a change that this process has committed on a snapshot: the bytes that `encodeRows` made of its rows. */
  applyOwn(base: Snapshot, stamp: string, bytes: Uint8Array): void {
    const replica = this.#replicas.get(base.realmId);
    // Otherwise a reading has applied it already, or will.
    if (replica === undefined || replica.snapshot.stamp !== base.stamp) return;
    // The committed values, which the code that made them cannot change any more.
    this.#apply(replica, stamp, { version: base.version + 1, rows: decodeRows(bytes) });
  }

  async #reach(replica: Replica, target: Version): Promise<void> {
    while (replica.snapshot.stamp < target.stamp) {
      replica.advancing ??= this.#advance(replica, target).finally(() => replica.advancing = null);
      await replica.advancing;
    }
  }

  async #advance(replica: Replica, { version, stamp }: Version): Promise<void> {
    const { realmId } = replica.snapshot;
    const from = replica.snapshot.version;
    // A version that is not a later one belongs to a store that was put back to an earlier state.
    const isFar = version <= from || version - from > MAX_BEHIND;
    const changes = isFar ? null : await this.#readChanges(realmId, from, version);
    // A commit of this process may have been applied meanwhile.
    if (replica.snapshot.stamp >= stamp) return;
    if (changes === null) this.#apply(replica, stamp, { version, rows: null });
    for (const change of changes ?? []) {
      if (change.version > replica.snapshot.version) this.#apply(replica, stamp, change);
    }
  }

  #apply(replica: Replica, stamp: string, change: RecordedChange): void {
    replica.apply(stamp, change);
    const { snapshot } = replica;
    if (this.#used.has(String(snapshot.realmId))) this.#count(snapshot, null);
    for (const { key } of change.rows ?? []) {
      const place = placeOf(key);
      if (place !== null && this.#used.has(nameOf(place))) this.#count(snapshot, place);
    }
  }

  /** Reads the changes after a version up to another one; null where some are no longer recorded. */
  async #readChanges(realmId: number, after: number, upTo: number): Promise<RecordedChange[] | null> {
    const pieces = new Map<number, ChangePiece[]>();
    const range = { start: [realmId, "change", after + 1], end: [realmId, "change", upTo + 1] };
    for await (const entry of this.#kv.list(range, { batchSize: BATCH })) {
      const { key, value } = toEntry<ChangePiece>(entry);
      const version = Number(key[2]);
      const known = pieces.get(version);
      if (known === undefined) pieces.set(version, [value]);
      else known.push(value);
    }
    const changes: RecordedChange[] = [];
    for (let version = after + 1; version <= upTo; version++) {
      const own = pieces.get(version) ?? [];
      const rows = toRows(own);
      if (rows === undefined) return null;
      changes.push({ version, rows });
    }
    return changes;
  }

  async #withCore(replica: Replica): Promise<Snapshot> {
    while (!replica.snapshot.hasCore) await this.#loadCore(replica);
    const { snapshot } = replica;
    if (this.#used.get(String(snapshot.realmId)) === undefined) this.#count(snapshot, null);
    return snapshot;
  }

  async #loadCore(replica: Replica): Promise<void> {
    const { realmId } = replica.snapshot;
    // Few at a time, as the event loop takes its turn after some rows of each.
    for (const kinds of chunk(CORE_KINDS, KINDS_AT_ONCE)) {
      await Promise.all(kinds.map((kind) => this.#load(replica, { realmId, kind, part: null })));
    }
  }

  /** Loads rows; those who need the same ones wait together. */
  async #load(replica: Replica, place: Portion): Promise<void> {
    if (replica.snapshot.find(place) !== null) return;
    const name = nameOf(place);
    let loading = replica.loading.get(name);
    if (loading === undefined) {
      loading = this.#loadRows(replica, place).finally(() => replica.loading.delete(name));
      replica.loading.set(name, loading);
    }
    await loading;
  }

  async #loadRows(replica: Replica, place: Portion): Promise<void> {
    const changes: RecordedChange[] = [];
    replica.readings.add(changes);
    try {
      const rows = new Map<RowId, unknown>();
      for await (const { key, value } of this.#kv.list(rowsOf(place), { batchSize: BATCH })) {
        const id = placeOf(key)?.id;
        if (id !== undefined) rows.set(id, value);
      }
      // The rows may be of moments up to now; the changes of these moments are applied to them once more.
      const { value, versionstamp } = await this.#readVersion(place.realmId);
      await this.#reach(replica, { version: value ?? 0, stamp: versionstamp ?? "" });
      let table = Table.of(rows);
      for (const change of changes) {
        if (change.rows === null) return;
        table = changeRows(table, place, change.rows);
      }
      replica.snapshot = replica.snapshot.withRows(place, table);
    } finally {
      replica.readings.delete(changes);
    }
  }

  #count(snapshot: Snapshot, part: Portion | null): void {
    const { realmId } = snapshot;
    const tables = part === null ? CORE_KINDS.map((kind) => ({ realmId, kind, part: null })) : [part];
    const size = tables.reduce((sum, place) => sum + (snapshot.find(place)?.size ?? 0), 1);
    this.#used.set(part === null ? String(realmId) : nameOf(part), { realmId, part }, { size });
  }

  /** Removes rows from memory; requests that have a snapshot with them keep it. */
  #drop(realmId: number, part: Portion | null): void {
    const replica = this.#replicas.get(realmId);
    if (replica === undefined) return;
    if (part !== null) replica.snapshot = replica.snapshot.withRows(part, null);
    else replica.snapshot = new Snapshot(realmId, replica.snapshot);
  }

  async #readVersion(realmId: number): Promise<Deno.KvEntryMaybe<number>> {
    const key = versionKey(realmId);
    return toValue<Deno.KvEntryMaybe<number>>(await this.#readEntry(key, keyText(key)));
  }
}

/** Returns the rows of a change from its pieces: null for one that was too large, undefined where pieces are missing. */
function toRows(pieces: readonly ChangePiece[]): readonly ChangedRow[] | null | undefined {
  const [first] = pieces;
  if (first === undefined || pieces.length < first.pieces) return undefined;
  if (first.pieces === 0) return null;
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.bytes.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.bytes, at);
    at += piece.bytes.length;
  }
  return decodeRows(bytes);
}

function nameOf({ realmId, kind, part }: Portion): string {
  return keyName(part === null ? [realmId, kind] : [realmId, kind, part]);
}
