import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { systemClock } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { requireNoImport, VERSION_KEY } from "@/lib/store/migrate.ts";
import { openKv } from "@/lib/store/open.ts";
import { makePrivateFile } from "@/lib/core/private_files.ts";
import { countEntries, exists, withCopy } from "../backup.ts";
import { type CommandContext, onlyArgument, Refusal, requireReachable } from "../command.ts";
import { startProgress } from "../progress.ts";
import { type ExportEnd, type ExportHeader, FORMAT, formatLine } from "./export_format.ts";
import { listCopied } from "./expiring_entries.ts";

/** Name of standard output and standard input. */
export const STANDARD_STREAM = "-";
/** Characters that are written at once. */
const PIECE = 256 * 1024;

/**
 * Writes all entries of the store as lines of JSON into a new file, or to standard output. Of an embedded store, they
 * are those of one moment. The file appears under its name only when it is complete, and only the operator's user can
 * read it.
 */
export async function exportStore(context: CommandContext, args: readonly string[]): Promise<object | null> {
  const target = onlyArgument(args, taskCommand("-q admin export FILE|-"));
  requireReachable(context.location);
  if (target === STANDARD_STREAM) {
    await exportTo(context, Deno.stdout.writable);
    // The last line of the export is the result.
    return null;
  }
  const file = resolve(target);
  if (await exists(file)) throw new Refusal(`${file} already exists. An export never replaces a file.`);
  const partial = `${file}.partial`;
  await Deno.remove(partial).catch(() => {});
  try {
    makePrivateFile(partial);
    const output = await Deno.open(partial, { write: true });
    const end = await exportTo(context, output.writable);
    await syncFile(partial);
    await Deno.rename(partial, file);
    return { file, bytes: (await Deno.stat(file)).size, ...end };
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error instanceof Refusal ? error : new Refusal(`The export failed: ${errorMessage(error)}`);
  }
}

/** Waits until the file is on its disk. */
async function syncFile(file: string): Promise<void> {
  using written = await Deno.open(file, { write: true });
  await written.sync();
}

/** Exports an embedded store from a copy of one moment, and any other one as it is. */
async function exportTo(
  { location, path }: CommandContext,
  output: WritableStream<Uint8Array>,
): Promise<ExportEnd> {
  const name = location ?? "";
  if (path === null) return await exportLocation(location ?? undefined, { name, output, total: null });
  return await withCopy(path, (copy) => exportLocation(copy, { name, output, total: countEntries(copy) }));
}

/** Name of the store for messages, stream of its export, and the number of entries where it is known. */
interface ExportTarget {
  readonly name: string;
  readonly output: WritableStream<Uint8Array>;
  readonly total: number | null;
}

async function exportLocation(
  location: string | undefined,
  { name, output, total }: ExportTarget,
): Promise<ExportEnd> {
  using kv = await openKv(location);
  await requireNoImport(kv, name);
  const writer = new LineWriter(output);
  const progress = startProgress({ label: "Exporting", total });
  await writer.write(JSON.stringify(await createHeader(kv)));
  let entries = 0;
  for await (const entry of listCopied(kv)) {
    await writer.write(formatLine(entry));
    entries++;
    progress.advance(1);
  }
  const end = { entries, sha256: writer.checksum() };
  await writer.write(JSON.stringify(end));
  await writer.close();
  progress.finish();
  return end;
}

async function createHeader(kv: Kv): Promise<ExportHeader> {
  return {
    ...FORMAT,
    id: crypto.randomUUID(),
    schema_version: await readRecord<number>(kv, VERSION_KEY) ?? 1,
    created_at: new Date(systemClock.now()).toISOString(),
  };
}

/** Writes lines to a stream, several at once, and calculates their checksum. */
class LineWriter {
  readonly #output: WritableStreamDefaultWriter<Uint8Array>;
  readonly #hash = createHash("sha256");
  #piece = "";

  constructor(output: WritableStream<Uint8Array>) {
    this.#output = output.getWriter();
  }

  async write(line: string): Promise<void> {
    this.#piece += line + "\n";
    if (this.#piece.length >= PIECE) await this.#flush();
  }

  /** Returns the SHA-256 of the lines so far in hexadecimal digits. */
  checksum(): string {
    return this.#hash.copy().update(this.#piece).digest("hex");
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#output.close();
  }

  async #flush(): Promise<void> {
    const bytes = new TextEncoder().encode(this.#piece);
    this.#hash.update(bytes);
    this.#piece = "";
    await this.#output.write(bytes);
  }
}
