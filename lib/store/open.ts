import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { basename, dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "@/lib/core/clock.ts";
import {
  makePrivateFile,
  makePrivateFolder,
  restrictFile,
  restrictFolder,
} from "@/lib/core/private_files.ts";
import { BlobWrites } from "./blob.ts";
import { FileTurn, type StoreTally } from "./durably.ts";
import { CommitSignals, NamedQueues } from "./turns.ts";
import { isRemote, openRemoteKv } from "./connect/open_remote_kv.ts";
import { NetworkClock } from "./connect/commit_gate.ts";
import { Database, type StartSpan } from "./database.ts";
import type { Kv } from "./kv.ts";
import { Replicas } from "./replicas.ts";
import { retryLocked } from "./retry.ts";

/** The first bytes of every SQLite file. */
const SQLITE_HEADER = "SQLite format 3\0";
/** Endings of the files that the embedded store keeps beside its own. */
const SUFFIXES = ["-wal", "-shm", "-journal"];
/** Files up to this size are checked completely before they are served, at 700 MB a second on two cores. */
const FULL_CHECK_BYTES = 512 * 1024 * 1024;

/** An open store. */
export interface Store extends Disposable {
  readonly kv: Kv;
  /** The time on which all processes of the store agree. */
  readonly clock: Clock;
  /** Location for messages to operators: a path, `:memory:` or an address. */
  readonly location: string;
  /** File of the embedded store; null for another store. */
  readonly path: string | null;
  /** Organizations of which this process keeps rows in memory. */
  readonly replicas: Replicas;
  /** Queues in which writers of this process take turns. */
  readonly queues: NamedQueues;
  /** Queue of the writes of this process's blobs. */
  readonly blobWrites: BlobWrites;
  /** Signals that commits of this process send to waiting requests. */
  readonly signals: CommitSignals;
  /** Counters of its commits, for `/metrics` and `/ready`. */
  readonly tally: StoreTally;
}

/** Error of a store that cannot be opened; the message says why and what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/**
 * Opens the store at `location`: a file's path (parent folders are created), `:memory:`, the address of a KV
 * Connect server, or null for the platform's own store. Only the process's user can read the files. With `startSpan`, its
 * calls are traced.
 * @throws StoreError when the file is damaged or cannot be opened; a damaged file is never written to.
 */
export async function openStore(location: string | null, startSpan?: StartSpan): Promise<Store> {
  const path = storePath(location);
  if (path !== null) {
    requireSound(path);
    makeFiles(path);
  }
  const clock = new NetworkClock();
  const kv = await openKv(path ?? location ?? undefined, clock);
  const place = { location: path ?? location ?? "the deployment's own store", path };
  const reader = path === null ? kv : await openKv(path);
  return toStore(new Database(kv, { reader, startSpan }), place, clock);
}

/** Returns the store over an open database. */
export function toStore(
  kv: Kv,
  { location, path }: Pick<Store, "location" | "path">,
  clock: Clock = systemClock,
): Store {
  const tally = {
    conflicts: 0,
    locked: 0,
    failures: 0,
    writable: true,
    fileTurn: path === null ? null : new FileTurn(),
  };
  return {
    clock,
    kv,
    location,
    path,
    replicas: new Replicas(kv),
    queues: new NamedQueues(),
    blobWrites: new BlobWrites({ kv, tally }),
    signals: new CommitSignals(),
    tally,
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Returns the absolute path of the embedded store's file; null for another store. */
export function storePath(location: string | null): string | null {
  if (location === null || location === ":memory:" || isRemote(location)) return null;
  return resolve(location);
}

/** Whether a store is neither a file nor in memory, so that processes on several machines may share it. */
export function isNetworkStore({ path, location }: Pick<Store, "path" | "location">): boolean {
  return path === null && location !== ":memory:";
}

/**
 * Refuses a file that is not a sound SQLite database; a missing or empty file is a new store: creating one that is
 * interrupted leaves an empty file, and the records of another may all be in its -wal file.
 * @throws StoreError naming the file and the restore command.
 */
export function requireSound(path: string): void {
  const problem = findDamage(path);
  if (problem === null) return;
  throw new StoreError(
    `The store ${path} is damaged (${problem}). It was not changed. ` +
      `Move it away with its -wal and -shm files, then restore a backup: ${
        taskCommand("-q admin restore FILE")
      }`,
  );
}

/** Makes the folder and the files of a store private, before it is opened. */
export function makePrivateStoreFiles(path: string): void {
  makePrivateFolder(dirname(path));
  restrictFolder(dirname(path), (name) => name.startsWith(basename(path)));
  makePrivateFile(path);
  for (const suffix of SUFFIXES) restrictFile(path + suffix);
}

function makeFiles(path: string): void {
  try {
    makePrivateStoreFiles(path);
  } catch (error) {
    const effect = fileSize(path) > 0 ? "written to" : "created";
    throw new StoreError(`The store ${path} cannot be ${effect}: ${errorMessage(error)}`);
  }
}

function findDamage(path: string): string | null {
  const size = fileSize(path);
  if (size === 0) return null;
  if (!startsWithHeader(path)) return "file is not a database";
  try {
    using database = new DatabaseSync(path, { timeout: 5000 });
    if (size > FULL_CHECK_BYTES) {
      database.prepare("select count(*) from sqlite_schema").get();
      return null;
    }
    const verdict = database.prepare("pragma quick_check(1)").get()?.["quick_check"];
    return verdict === "ok" ? null : String(verdict).split("\n").at(-1) ?? "unreadable";
  } catch (error) {
    return errorMessage(error);
  }
}

function fileSize(path: string): number {
  try {
    const { isDirectory, size } = Deno.statSync(path);
    if (isDirectory) throw new StoreError(`The store ${path} is a folder. Set KV_URL to the path of a file.`);
    return size;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (error instanceof Deno.errors.NotFound) return 0;
    throw new StoreError(`The store ${path} cannot be read: ${errorMessage(error)}`);
  }
}

function startsWithHeader(path: string): boolean {
  using file = Deno.openSync(path);
  const head = new Uint8Array(SQLITE_HEADER.length);
  file.readSync(head);
  return new TextDecoder().decode(head) === SQLITE_HEADER;
}

/**
 * Opens the database at a location, undefined for the platform's own one, without its records being looked at;
 * `clock` follows the time of a KV Connect server.
 * @throws StoreError when it cannot be opened, or a KV Connect server cannot be reached.
 */
export async function openKv(location: string | undefined, clock?: NetworkClock): Promise<Kv> {
  try {
    if (location !== undefined && isRemote(location)) return await openRemoteKv(location, clock);
    return await retryLocked(() => Deno.openKv(location));
  } catch (error) {
    throw new StoreError(`The store ${location ?? ""} cannot be opened: ${errorMessage(error)}`);
  }
}
