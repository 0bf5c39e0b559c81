import { createHash, type Hash } from "node:crypto";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  beginBlob,
  type ByteSource,
  compress,
  type ExportAttempt,
  type FileSummary,
  inSlices,
  type PackedFile,
  packFiles,
  readStaged,
  type StagedFile,
  stageFile,
} from "@/lib/chat/register/exports/archive/files.ts";
import {
  type ExportScope,
  isStillAllowed,
  listMessageRows,
  listOrganizationFiles,
  readExportScope,
} from "@/lib/chat/register/exports/archive/rows.ts";
import { pendingKeys, uploadKeys, type UploadRecord } from "@/lib/chat/organization/files/model.ts";
import { getRealm, type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { readBlob, writeBlob } from "@/lib/store/blob.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import { abandonPending, dropPending } from "@/lib/chat/organization/pending_blobs.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { sendExportsEvent } from "./events.ts";
import { completeExport, failExport, removeArchive, type WrittenArchive } from "./manage_exports.ts";
import {
  ExportLease,
  type ExportRecord,
  getExports,
  getLeased,
  isPending,
  LEASE_MS,
  type LeasedExport,
  MAX_ATTEMPTS,
  parseDueKey,
  putExport,
  RETRY_MS,
} from "./store.ts";

const FORMAT_VERSION = 1;

/**
 * Writes the archive of an export and passes it to `complete`, which gives it a record. Other bytes of the attempt
 * are removed at its end, or by the sweeper if the process is killed.
 * @throws NoLongerDue when the process is to stop or has lost the export.
 */
async function writeArchive(
  app: ChatApp,
  lease: ExportLease,
  complete: (archive: WrittenArchive) => Promise<void>,
): Promise<void> {
  const attempt: ExportAttempt = { app, lease, blobs: [] };
  const { realm, record: { type } } = lease.leased;
  try {
    const scope = await readExportScope(app, { realm, type, check: () => lease.check() });
    const uploads: UploadRecord[] = [];
    const staged = await stageLists(attempt, scope, uploads);
    const pending = await beginBlob(attempt);
    const files = listFiles(attempt, { staged, uploads });
    const content = compress(inSlices(attempt, packFiles(files, app.clock.now())));
    const size = await writeBlob(app.store, pendingKeys.chunks(pending), content);
    if (!await isStillAllowed(app, scope)) {
      throw new Error("A user withdrew the consent to the export of their private data");
    }
    await complete({ pending, size });
  } finally {
    for (const blob of attempt.blobs) await abandonPending(app.store, blob);
  }
}

/** Stages the files that list records, and adds the uploads to include to `uploads`. */
async function stageLists(
  attempt: ExportAttempt,
  scope: ExportScope,
  uploads: UploadRecord[],
): Promise<readonly StagedFile[]> {
  const { app, lease: { leased } } = attempt;
  const staged: StagedFile[] = [];
  for (const { path, rows } of listOrganizationFiles({ app, leased, scope })) {
    staged.push(await stageFile(attempt, path, toLines(await rows())));
  }
  const uploadIds = new Set<number>();
  staged.push(await stageFile(attempt, "messages.jsonl", listMessageRows(app, scope, uploadIds)));
  const rows = listUploadRows(app, { realmId: scope.realm.id, uploadIds, uploads });
  staged.push(await stageFile(attempt, "uploads.jsonl", toLines(rows)));
  return staged;
}

async function* toLines(rows: AsyncIterable<object> | Iterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield JSON.stringify(row);
}

/** Yields the uploads that still exist, and adds them to `uploads`. */
async function* listUploadRows(
  app: ChatApp,
  { realmId, uploadIds, uploads }: { realmId: number; uploadIds: Iterable<number>; uploads: UploadRecord[] },
): AsyncGenerator<object> {
  for (const uploadId of uploadIds) {
    const upload = await app.reads.read<UploadRecord>(uploadKeys.upload(realmId, uploadId));
    if (upload === null) continue;
    uploads.push(upload);
    const { id, name, size, content_type, owner_id, created_at } = upload;
    const create_time = Math.floor(created_at / 1000);
    yield { id, path: toPath(upload), name, size, content_type, owner_id, create_time };
  }
}

function toPath({ path_id }: UploadRecord): string {
  return `uploads/${path_id}`;
}

/** Yields all files of an archive, the manifest last. */
async function* listFiles(
  attempt: ExportAttempt,
  { staged, uploads }: { staged: readonly StagedFile[]; uploads: readonly UploadRecord[] },
): AsyncGenerator<PackedFile> {
  const { app, lease: { leased } } = attempt;
  const summaries: FileSummary[] = [];
  for (const file of staged) {
    const { path, size, rows, sha256 } = file;
    yield { path, size, content: readStaged(attempt, file) };
    summaries.push(path.endsWith(".jsonl") ? { path, size, rows, sha256 } : { path, size, sha256 });
  }
  for (const upload of uploads) {
    const [path, hash] = [toPath(upload), createHash("sha256")];
    const key = uploadKeys.blob(leased.realm.id, upload.blob);
    const content = readBlob(app.store.kv, key, { start: 0, end: upload.size });
    yield { path, size: upload.size, content: addTo(hash, content) };
    summaries.push({ path, size: upload.size, sha256: hash.digest("hex") });
  }
  const manifest = await stageFile(attempt, "manifest.json", listManifest(attempt, summaries));
  yield { path: manifest.path, size: manifest.size, content: readStaged(attempt, manifest) };
}

async function* addTo(hash: Hash, content: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

/** Yields the lines of the manifest, which lists every file. */
async function* listManifest(
  { app, lease: { leased: { realm, record } } }: ExportAttempt,
  files: readonly FileSummary[],
): AsyncGenerator<string> {
  const rowsOf = (name: string) => files.find(({ path }) => path === `${name}.jsonl`)?.rows ?? 0;
  const counts = { users: rowsOf("users"), channels: rowsOf("channels"), messages: rowsOf("messages") };
  const facts = {
    format: "sotto-export",
    format_version: FORMAT_VERSION,
    export_type: record.type,
    organization_url: realmUrl(app, realm),
    created: Math.floor(app.clock.now() / 1000),
    counts: { ...counts, uploads: rowsOf("uploads") },
  };
  yield `${JSON.stringify(facts, null, 2).slice(0, -2)},`;
  yield '  "files": [';
  for (const [at, file] of files.entries()) {
    yield `    ${JSON.stringify(file)}${at < files.length - 1 ? "," : ""}`;
  }
  yield "  ]";
  yield "}";
}

/**
 * Handles a due row: creates the archive of an export, or deletes an archive whose time is up.
 * @throws NoLongerDue when another process works on the export or an earlier one comes first, and when this process
 * is to stop; other errors after a failed attempt, which is repeated later.
 */
export async function runExport(app: ChatApp, key: Key, isStopped: () => boolean): Promise<void> {
  const { realmId } = parseDueKey(key);
  const leased = await transact(app.store, async (tx) => {
    const realm = await getRealm(tx, realmId);
    const exports = await getExports(tx, realmId);
    return await leaseExport(app, tx, { key, realm, exports });
  });
  if (leased === "expired") return await expireArchive(app, key);
  if (leased === null) throw new NoLongerDue();
  const { attempts } = leased.record;
  // An attempt that killed the process is counted as well.
  if (attempts > MAX_ATTEMPTS) return await failExport(app, leased);
  try {
    const lease = new ExportLease(app, leased, isStopped);
    await writeArchive(app, lease, (archive) => completeExport(app, leased, archive));
  } catch (error) {
    if (error instanceof NoLongerDue) await returnExport(app, leased, { attempts: attempts - 1, waitMs: 0 });
    else if (attempts >= MAX_ATTEMPTS) await failExport(app, leased);
    else await returnExport(app, leased, { attempts, waitMs: attempts * RETRY_MS });
    throw error;
  }
}

/** Reserves a due export for this process; returns null where it is not this process's turn. */
async function leaseExport(
  app: ChatApp,
  tx: Tx,
  { key, realm, exports }: { key: Key; realm: RealmRecord; exports: readonly ExportRecord[] },
): Promise<LeasedExport | "expired" | null> {
  const { time, id } = parseDueKey(key);
  const record = exports.find((each) => each.id === id);
  if (record === undefined || record.due_at !== time) {
    tx.delete(key);
    return null;
  }
  if (!isPending(record)) return "expired";
  // One export of an organization at a time, in the order of the requests.
  if (exports.some((each) => each.id < id && isPending(each))) return null;
  const actor = await getUser(tx, realm.id, record.acting_user_id);
  if (realm.is_deactivated || !actor.is_active || !isAdmin(actor)) {
    const failed = { ...record, failed_at: app.clock.now(), due_at: null };
    sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, failed) });
    return null;
  }
  const leased = {
    ...record,
    attempts: record.attempts + 1,
    lease: crypto.randomUUID(),
    due_at: app.clock.now() + LEASE_MS,
  };
  putExport(tx, { realmId: realm.id, exports }, leased);
  return { realm, actor, record: leased };
}

async function expireArchive(app: ChatApp, key: Key): Promise<void> {
  const { realmId, id, time } = parseDueKey(key);
  const pending = await transact(app.store, async (tx) => {
    const exports = await getExports(tx, realmId);
    const record = exports.find((each) => each.id === id);
    if (record === undefined || record.archive === null || record.due_at !== time) throw new NoLongerDue();
    const realm = await getRealm(tx, realmId);
    return removeArchive(app, tx, { realm, exports, record, archive: record.archive });
  });
  await dropPending(app.store, pending);
}

/** Makes an export that is not complete due again, for any process; does nothing if another one has it. */
async function returnExport(
  app: ChatApp,
  leased: LeasedExport,
  { attempts, waitMs }: { attempts: number; waitMs: number },
): Promise<void> {
  try {
    await transact(app.store, async (tx) => {
      const { exports, current } = await getLeased(tx, leased);
      const due_at = app.clock.now() + waitMs;
      putExport(tx, { realmId: leased.realm.id, exports }, { ...current, attempts, lease: null, due_at });
    });
  } catch {
    // The earlier failure is the one to report; the reservation ends by itself.
  }
}
