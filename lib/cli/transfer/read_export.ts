import { createHash } from "node:crypto";
import { concatBytes } from "@/lib/core/bytes.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { Refusal } from "../command.ts";
import {
  type ExportedEntry,
  type ExportHeader,
  type ExportLine,
  FORMAT,
  parseHeader,
  parseLine,
} from "./export_format.ts";

/** Maximum length of a line in bytes: a value of 64 KiB whose JSON is as long as it can be, and its key. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const LINE_END = 10;

/** An export that is read once, from its beginning to its end. */
export interface ExportReader {
  readonly header: ExportHeader;
  /**
   * The entries in their order. The iteration ends without an error only if all lines were read and are those that
   * were written.
   * @throws Refusal for an export that is incomplete or was changed.
   */
  readonly entries: AsyncGenerator<ExportedEntry>;
}

/**
 * Reads an export. `onBytes` is called with the number of bytes of each line.
 * @throws Refusal for something else than an export of this version of the format.
 */
export async function readExport(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): Promise<ExportReader> {
  const lines = splitLines(bytes);
  const { value: first } = await lines.next();
  const header = first === undefined ? null : parseHeaderOrNull(first);
  if (first === undefined || header === null) {
    throw new Refusal("This is not an export: its first line is not that of one.");
  }
  if (header.version !== FORMAT.version) {
    throw new Refusal(
      `The export has version ${header.version} of the format; this version of Sotto reads ${FORMAT.version}.`,
    );
  }
  onBytes(first.length + 1);
  return { header, entries: readEntries(lines, { first, onBytes }) };
}

async function* readEntries(
  lines: AsyncGenerator<Uint8Array>,
  { first, onBytes }: { readonly first: Uint8Array; readonly onBytes: (count: number) => void },
): AsyncGenerator<ExportedEntry> {
  const hash = createHash("sha256").update(first).update("\n");
  let count = 0;
  for await (const bytes of lines) {
    const line = parseNumbered(bytes, count + 2);
    onBytes(bytes.length + 1);
    if (line.kind === "entry") {
      hash.update(bytes).update("\n");
      count++;
      yield line.entry;
      continue;
    }
    const isComplete = line.end.entries === count && line.end.sha256 === hash.digest("hex");
    if (!isComplete) {
      throw new Refusal("The export was changed: its count or checksum is not that of its lines.");
    }
    if (!(await lines.next()).done) throw new Refusal("The export was changed: lines follow the last one.");
    return;
  }
  throw new Refusal(`The export is incomplete: it ends after ${count} entries, without its last line.`);
}

function parseHeaderOrNull(bytes: Uint8Array): ExportHeader | null {
  try {
    return parseHeader(decode(bytes));
  } catch {
    return null;
  }
}

function parseNumbered(bytes: Uint8Array, number: number): ExportLine {
  try {
    return parseLine(decode(bytes));
  } catch (error) {
    const [reason] = errorMessage(error).split("\n");
    throw new Refusal(`The export is damaged in line ${number}: ${reason}`);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Splits bytes into lines without their ends. A last line without an end is left out: it may be cut off. */
async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of stream) {
    let start = 0;
    for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, start)) {
      parts.push(bytes.subarray(start, at));
      yield join(parts);
      [parts, size, start] = [[], 0, at + 1];
    }
    parts.push(bytes.subarray(start));
    size += bytes.length - start;
    if (size > MAX_LINE_BYTES) throw new Refusal("This is not an export: one of its lines is too long.");
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : concatBytes(parts);
}
