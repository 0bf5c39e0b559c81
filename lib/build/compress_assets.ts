import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import {
  ASSET_LIST,
  type AssetCoding,
  type AssetRecord,
  COMPRESSED_FOLDER,
  ENDINGS,
} from "@/lib/services/compressed_assets.ts";
import { walkFiles } from "./walk_files.ts";

const ROOT = new URL("../../", import.meta.url);
/** Folders of static files; a file that the build transformed replaces that of the same name. */
const SOURCES = [new URL("static/", ROOT), new URL("_fresh/static/", ROOT)];
/** Files of formats that are not compressed already. */
const TEXT_FILE = /\.(?:css|html|js|json|mjs|svg|txt|webmanifest|xml)$/;
const CODINGS: readonly AssetCoding[] = ["br", "gzip"];

/** Folders that assets are read from and written to. */
interface AssetFolders {
  readonly sources: readonly URL[];
  readonly output: URL;
}

/**
 * Compresses the style sheets, scripts and other texts among the static files, in the codings in which they are
 * smaller, and lists them. Compressed files are named after the content, so that unchanged ones are kept.
 */
export async function compressAssets(
  { sources, output }: AssetFolders = { sources: SOURCES, output: COMPRESSED_FOLDER },
): Promise<void> {
  await Deno.mkdir(output, { recursive: true });
  const known = new Set(await Array.fromAsync(walkFiles(output)));
  const files = [...await listTextFiles(sources)].sort(([one], [other]) => one < other ? -1 : 1);
  const records = await Promise.all(files.map(async ([pathname, file]): Promise<AssetRecord> => {
    const content = await Deno.readFile(file);
    const name = await toName(content);
    const codings = await Promise.all(CODINGS.map(async (coding) => {
      const size = await compressOnce(content, { name, coding, output, known });
      return size < content.length ? [coding] : [];
    }));
    return { pathname, name, size: content.length, codings: codings.flat() };
  }));
  await writeWhole(new URL(ASSET_LIST, output), new TextEncoder().encode(JSON.stringify(records)));
  await removeOthers(output, known, records);
}

/** Returns the text files of the sources by their path in URLs. */
async function listTextFiles(sources: readonly URL[]): Promise<Map<string, URL>> {
  const files = new Map<string, URL>();
  for (const source of sources) {
    for await (const path of walkFiles(source)) {
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      if (TEXT_FILE.test(path)) files.set(`/${encoded}`, new URL(encoded, source));
    }
  }
  return files;
}

async function toName(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
}

/** A compressed file to write. */
interface Target {
  readonly name: string;
  readonly coding: AssetCoding;
  readonly output: URL;
  /** Names of the files that exist already. */
  readonly known: ReadonlySet<string>;
}

/** Writes a compressed file unless it exists, and returns its size in bytes. */
async function compressOnce(content: Uint8Array, { name, coding, output, known }: Target): Promise<number> {
  const file = name + ENDINGS[coding];
  const path = new URL(file, output);
  if (known.has(file)) return (await Deno.stat(path)).size;
  const compressed = await compress(content, coding);
  await writeWhole(path, compressed);
  return compressed.length;
}

function compress(content: Uint8Array, coding: AssetCoding): Promise<Uint8Array> {
  if (coding === "gzip") return promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return promisify(brotliCompress)(content, { params });
}

/** Writes a file so that it exists only as a whole. */
async function writeWhole(path: URL, content: Uint8Array): Promise<void> {
  const partial = new URL(`${path.href}.${crypto.randomUUID()}.partial`);
  await Deno.writeFile(partial, content);
  await Deno.rename(partial, path);
}

/** Removes the files of earlier builds. */
async function removeOthers(
  output: URL,
  known: ReadonlySet<string>,
  records: readonly AssetRecord[],
): Promise<void> {
  const needed = new Set(records.flatMap(({ name }) => CODINGS.map((coding) => name + ENDINGS[coding])));
  const others = [...known].filter((file) => file !== ASSET_LIST && !needed.has(file));
  await Promise.all(others.map((file) => Deno.remove(new URL(file, output))));
}
