import { toEtag } from "@/lib/core/bytes.ts";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Folder of the compressed assets of the build. */
export const COMPRESSED_FOLDER = new URL("../../_fresh/compressed/", import.meta.url);
/** Name of the file in that folder that lists them. */
export const ASSET_LIST = "assets.json";
/** Ends of the names of compressed files, by coding. */
export const ENDINGS: Readonly<Record<AssetCoding, string>> = { br: ".br", gzip: ".gz" };

/** A coding that assets are compressed with. */
export type AssetCoding = Exclude<Coding, "identity">;

/** An asset as the build recorded it. */
export interface AssetRecord {
  /** Path in its URL. */
  readonly pathname: string;
  /** Name of its compressed files without their ending: the SHA-256 of its content. */
  readonly name: string;
  /** Number of bytes that are not compressed. */
  readonly size: number;
  /** Codings in which it is smaller. */
  readonly codings: readonly AssetCoding[];
}

/** Opens the compressed assets in a folder. They are read when they are first requested, and kept in memory. */
export function openCompressedAssets(folder: URL = COMPRESSED_FOLDER) {
  let listed: Promise<ReadonlyMap<string, AssetRecord>> | null = null;
  const forms = new Map<string, Promise<EncodedForm | null>>();
  return {
    /** Returns the record of the asset at a path; null for a file that was not compressed or has another size. */
    async find(pathname: string, size: number): Promise<AssetRecord | null> {
      listed ??= readRecords(folder);
      const record = (await listed).get(pathname);
      return record?.size === size ? record : null;
    },
    /** Returns an asset in one coding; null when a later build has removed it. */
    read({ name }: AssetRecord, coding: AssetCoding): Promise<EncodedForm | null> {
      const file = name + ENDINGS[coding];
      const form = forms.get(file) ?? readForm(new URL(file, folder));
      forms.set(file, form);
      form.catch(() => forms.delete(file));
      return form;
    },
  };
}

async function readRecords(folder: URL): Promise<ReadonlyMap<string, AssetRecord>> {
  const content = await readOrNull(new URL(ASSET_LIST, folder));
  if (content === null) return new Map();
  const records: readonly AssetRecord[] = JSON.parse(new TextDecoder().decode(content));
  return new Map(records.map((record) => [record.pathname, record]));
}

async function readForm(file: URL): Promise<EncodedForm | null> {
  const content = await readOrNull(file);
  return content === null ? null : await toEncodedForm(content);
}

async function readOrNull(file: URL): Promise<Uint8Array | null> {
  try {
    return await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Codings of a response body, smallest first. */
export const CODINGS = ["br", "gzip", "identity"] as const;
/** Name of a coding. */
export type Coding = typeof CODINGS[number];

/** A response body in one coding. */
export interface EncodedForm {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Returns encoded content with its ETag. */
async function toEncodedForm(content: Uint8Array): Promise<EncodedForm> {
  const bytes = new Uint8Array(content);
  return { bytes, etag: await toEtag(bytes) };
}

/** JSON that is the same for every caller, as plain and compressed bytes. */
export type PreparedJson = Readonly<Record<Coding, EncodedForm>>;

/** Creates a collection of JSON documents that are created for the first caller and kept for later ones. */
export function createPreparedResponses() {
  const documents = new Map<string, Promise<PreparedJson>>();
  return {
    /** Returns the document of a name. `make` creates it on the first call and after a failure. */
    get(name: string, make: () => Promise<unknown>): Promise<PreparedJson> {
      const known = documents.get(name);
      if (known !== undefined) return known;
      const made = make().then(prepareJson);
      documents.set(name, made);
      made.catch(() => documents.delete(name));
      return made;
    },
  };
}

async function prepareJson(body: unknown): Promise<PreparedJson> {
  const plain = new TextEncoder().encode(JSON.stringify(body));
  // This quality keeps most of Brotli's gain at a hundredth of the time of the highest one.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params }).then(toEncodedForm),
    promisify(gzip)(plain).then(toEncodedForm),
  ]);
  return { br, gzip: gzipped, identity: await toEncodedForm(plain) };
}
