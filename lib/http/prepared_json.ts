import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { Answer, isTagKnown, toEtag } from "./answer.ts";

/** How an answer's body can travel, the smallest first. */
const CODINGS = ["br", "gzip", "identity"] as const;
type Coding = typeof CODINGS[number];

/** One form of an answer's body. */
interface Form {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** JSON that is the same for every caller, as the bytes that are sent: plain and compressed. */
export type PreparedJson = Readonly<Record<Coding, Form>>;

/** Answers that are made when they are first asked for, and kept for all later callers. */
export interface PreparedAnswers {
  /** Returns the answer of that name, made by `make` the first time; after a failure the next call makes it again. */
  get(name: string, make: () => Promise<unknown>): Promise<PreparedJson>;
}

/** Creates an empty collection of prepared answers. */
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
  // Most of Brotli's gain at a hundredth of the time that its highest quality takes.
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

/** The form of prepared JSON that a request accepts, cacheable for `maxAge` seconds; 304 when the client has it already. */
export function preparedAnswer(prepared: PreparedJson, maxAge: number, request: Headers): Answer {
  const coding = chooseCoding(request.get("accept-encoding"));
  const { bytes, etag } = prepared[coding];
  const headers = { etag, "cache-control": `public, max-age=${maxAge}`, vary: "accept-encoding" };
  if (isTagKnown(etag, request.get("if-none-match"))) return new Answer(304, null, headers);
  const encoding: Record<string, string> = coding === "identity" ? {} : { "content-encoding": coding };
  return new Answer(200, bytes, { ...headers, ...encoding, "content-type": "application/json" });
}

/** The smallest form among those that a client likes best; the plain one for a client that names none. */
function chooseCoding(accepted: string | null): Coding {
  if (accepted === null) return "identity";
  const negotiator = new Negotiator({ headers: { "accept-encoding": accepted } });
  const liked = negotiator.encodings([...CODINGS], { preferred: [...CODINGS] });
  return CODINGS.find((coding) => coding === liked[0]) ?? "identity";
}
