import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { type Entry, readEntry } from "@/lib/store/key.ts";
import { IMPORT_MARK, type ImportMark, VERSION_KEY } from "@/lib/store/migrate.ts";
import { backOff, retryLocked } from "@/lib/store/retry.ts";
import { Refusal } from "../command.ts";
import { requireEmpty } from "../backup.ts";
import { estimateBytes, writeEntry } from "./copy_entries.ts";
import type { ExportedEntry } from "./export_format.ts";

/** Attempts at a commit while the store does not answer. */
const ATTEMPTS = 30;

interface ImportTarget {
  readonly kv: Kv;
  /** Name of the store for messages. */
  readonly location: string;
}

/**
 * Writes the entries of one export into a store. Each commit moves the import's mark past the entries that it writes,
 * and only if no other process moved it. So an entry is written once, also after a commit whose result was lost, and
 * an interrupted import continues after the last commit.
 */
export class ImportWriter {
  readonly #target: ImportTarget;
  readonly #writer: BulkWriter;
  #mark: Entry<ImportMark>;
  readonly #continued: number;
  #entries = 0;

  private constructor(target: ImportTarget, mark: Entry<ImportMark>) {
    this.#target = target;
    this.#mark = mark;
    this.#continued = mark.value.entries;
    this.#writer = new BulkWriter(target.kv, (atomic) => this.#commit(atomic));
  }

  /**
   * Begins an import into an empty store, or continues the interrupted import of the same export.
   * @throws Refusal for a store with data, or with an incomplete import of another export.
   */
  static async begin(target: ImportTarget, exportId: string): Promise<ImportWriter> {
    const { kv, location } = target;
    const run = crypto.randomUUID();
    const found = await readEntry<ImportMark>(kv, IMPORT_MARK);
    if (found.value !== null && found.value.export_id !== exportId) {
      throw new Refusal(
        `The store ${location} has an incomplete import of another export. ` +
          "Import that one again, or move the store away.",
      );
    }
    const version = await kv.get(VERSION_KEY);
    if (found.value === null) await requireEmpty(kv, location);
    const mark: ImportMark = { export_id: exportId, run, entries: found.value?.entries ?? 0 };
    const atomic = kv.atomic().check(found).set([...IMPORT_MARK], mark);
    // A server that starts now writes the version, and so one of the two is refused.
    if (found.value === null) atomic.check(version).delete(VERSION_KEY);
    const result = await retryLocked(() => atomic.commit());
    if (!result.ok) throw new Refusal(`Another process uses the store ${location}. Stop it first.`);
    return new ImportWriter(target, { key: IMPORT_MARK, value: mark, versionstamp: result.versionstamp });
  }

  /** Number of the export's entries that an earlier run has written. */
  get continued(): number {
    return this.#continued;
  }

  /** Number of entries that were passed to `write`. */
  get entries(): number {
    return this.#entries;
  }

  /** Writes an entry, unless an earlier run has written it. Call it with every entry of the export, in order. */
  async write(entry: ExportedEntry): Promise<void> {
    if (this.#entries >= this.#continued) {
      await writeEntry(this.#writer, entry, estimateBytes(entry.value, entry.text.length));
    }
    this.#entries++;
  }

  /** Commits the remaining entries. */
  async flush(): Promise<void> {
    await this.#writer.flush();
  }

  /** Ends the import: from now on, servers open the store. */
  async end(): Promise<void> {
    const { kv } = this.#target;
    const attempt = () => kv.atomic().check(this.#mark).delete([...IMPORT_MARK]).commit();
    await this.#untilCommitted(attempt, ({ value }) => value === null);
  }

  async #commit(atomic: AtomicOperation): Promise<void> {
    const next: ImportMark = { ...this.#mark.value, entries: this.#entries };
    atomic.check(this.#mark).set([...IMPORT_MARK], next);
    const isOwn = ({ value }: Deno.KvEntryMaybe<ImportMark>) =>
      value?.run === next.run && value.entries === next.entries;
    const versionstamp = await this.#untilCommitted(() => atomic.commit(), isOwn);
    this.#mark = { key: IMPORT_MARK, value: next, versionstamp };
  }

  /**
   * Repeats a commit until the mark is as it leaves it, and returns the mark's version.
   * @throws Refusal when another process moved the mark, or the store does not answer for too long.
   */
  async #untilCommitted(
    commit: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
    isDone: (mark: Deno.KvEntryMaybe<ImportMark>) => boolean,
  ): Promise<string> {
    for (let attempt = 1;; attempt++) {
      try {
        const result = await retryLocked(commit);
        if (result.ok) return result.versionstamp;
        // An earlier attempt may have been carried out although its result was lost.
        const found = await readEntry<ImportMark>(this.#target.kv, IMPORT_MARK);
        if (isDone(found)) return found.versionstamp ?? "";
      } catch (error) {
        if (attempt >= ATTEMPTS) throw error;
        await backOff(attempt);
        continue;
      }
      throw new Refusal(`Another process imports into the store ${this.#target.location}.`);
    }
  }
}
