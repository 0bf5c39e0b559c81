import { latestVersion } from "@/lib/store/migrate.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { resolve } from "node:path";
import { openStore, type Store } from "@/lib/store/open.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { type CommandContext, onlyArgument, Refusal } from "../command.ts";
import { startByteProgress, startProgress } from "../progress.ts";
import { exists } from "../backup.ts";
import { STANDARD_STREAM } from "./export_store.ts";
import { ImportWriter } from "./import_writer.ts";
import { type ExportReader, readExport } from "./read_export.ts";
import { Expectation } from "./verification.ts";

/**
 * Writes the entries of an export into an empty store, reads the store again and compares it with the export. Servers
 * refuse the store until then. The same import continues after an interruption. A file is read once before anything
 * is written.
 */
export async function importStore(context: CommandContext, args: readonly string[]): Promise<object> {
  const source = onlyArgument(args, taskCommand("-q admin import FILE|-"));
  if (context.location === ":memory:") {
    throw new Refusal("An export cannot be imported into a store in memory.");
  }
  if (source === STANDARD_STREAM) return await importFrom(context, Deno.stdin.readable, null);
  const file = resolve(source);
  if (!await exists(file)) throw new Refusal(`The file ${file} does not exist.`);
  const { size } = await Deno.stat(file);
  await readWhole(file, size);
  return await importFrom(context, (await Deno.open(file)).readable, size);
}

/**
 * Reads an export without writing anything.
 * @throws Refusal when it is not complete and unchanged.
 */
async function readWhole(file: string, size: number): Promise<void> {
  const progress = startByteProgress("Reading", size);
  const { header, entries } = await readExport((await Deno.open(file)).readable, progress.advance);
  requireKnownVersion(header);
  for await (const _ of entries);
  progress.finish();
}

async function importFrom(
  { location, path }: CommandContext,
  input: ReadableStream<Uint8Array>,
  size: number | null,
): Promise<object> {
  const progress = startByteProgress("Importing", size);
  const reader = await readExport(input, progress.advance);
  requireKnownVersion(reader.header);
  using store = await openStore(path ?? location);
  try {
    const writer = await ImportWriter.begin(store, reader.header.id);
    const expectation = await writeAll(writer, reader);
    progress.finish();
    await verify(store, { expectation, total: writer.entries });
    await writer.end();
    return { store: store.location, entries: writer.entries, continued: writer.continued };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(
      `The import was interrupted: ${errorMessage(error)}. Run it again with the same export to continue.`,
    );
  }
}

function requireKnownVersion({ schema_version }: ExportReader["header"]): void {
  const latest = latestVersion(MIGRATIONS);
  if (schema_version <= latest) return;
  throw new Refusal(
    `The export was written by a newer version of Sotto (schema version ${schema_version}; ` +
      `this one supports ${latest}).`,
  );
}

async function writeAll(writer: ImportWriter, { entries }: ExportReader): Promise<Expectation> {
  const expectation = new Expectation();
  for await (const entry of entries) {
    expectation.add(entry);
    await writer.write(entry);
  }
  await writer.flush();
  return expectation;
}

/** @throws Refusal when the store does not contain what the export has. */
async function verify(
  { kv }: Store,
  { expectation, total }: { readonly expectation: Expectation; readonly total: number },
): Promise<void> {
  const progress = startProgress({ label: "Verifying", total });
  const problem = await expectation.findProblem(kv, () => progress.advance(1));
  progress.finish();
  if (problem === null) return;
  throw new Refusal(
    `${problem} Servers refuse the store. Stop what else writes to it, move it away and import again.`,
  );
}
