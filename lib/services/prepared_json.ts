import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { toEtag } from "@/lib/core/etag.ts";

/** Codings of a response body, smallest first. */
export const CODINGS = ["br", "gzip", "identity"] as const;
/** Name of a coding. */
export type Coding = typeof CODINGS[number];

/** A response body in one coding. */
interface Form {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** JSON that is the same for every caller, as plain and compressed bytes. */
export type PreparedJson = Readonly<Record<Coding, Form>>;

/** JSON documents that are created for the first caller and kept for later ones. */
export interface PreparedAnswers {
  /** Returns the document of a name. `make` creates it on the first call and after a failure. */
  get(name: string, make: () => Promise<unknown>): Promise<PreparedJson>;
}

/** Creates an empty collection of documents. */
export function createPreparedAnswers(): PreparedAnswers {
  const answers = new Map<string, Promise<PreparedJson>>();
  return {
    get(name, make) {
      const known = answers.get(name);
      if (known !== undefined) return known;
      const made = make().then(prepareJson);
      answers.set(name, made);
      made.catch(() => answers.delete(name));
      return made;
    },
  };
}

async function prepareJson(body: unknown): Promise<PreparedJson> {
  const plain = new TextEncoder().encode(JSON.stringify(body));
  // This quality keeps most of Brotli's gain at a hundredth of the time of the highest one.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params }).then(toForm),
    promisify(gzip)(plain).then(toForm),
  ]);
  return { br, gzip: gzipped, identity: await toForm(plain) };
}

async function toForm(content: Uint8Array): Promise<Form> {
  const bytes = new Uint8Array(content);
  return { bytes, etag: await toEtag(bytes) };
}
