import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Coding, type EncodedForm, toEncodedForm } from "./encoded_form.ts";

/** JSON that is the same for every caller, as plain and compressed bytes. */
export type PreparedJson = Readonly<Record<Coding, EncodedForm>>;

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
    promisify(brotliCompress)(plain, { params }).then(toEncodedForm),
    promisify(gzip)(plain).then(toEncodedForm),
  ]);
  return { br, gzip: gzipped, identity: await toEncodedForm(plain) };
}
