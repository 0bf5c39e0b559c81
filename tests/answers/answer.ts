/** An answer, or the events of a queue, under the name of the request. */
export interface Answer {
  readonly name: string;
  readonly status: number;
  /** Headers that clients act on, a line each. */
  readonly headers: string;
  readonly body: string;
}

/** Headers whose values belong to the answer. */
const HEADERS = [
  "allow",
  "cache-control",
  "content-type",
  "content-disposition",
  "location",
  "retry-after",
  "vary",
];
/** Texts that differ between two runs of one version, and those that stand for them. */
const REPLACED: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID"],
  [/\b(?:[A-Za-z0-9]{32}|[a-z2-7]{32,64}|[0-9a-f]{24,128})\b/g, "SECRET"],
  [/"((?:last_event_)?id)":\d{6,}/g, '"$1":EVENT'],
  // Positions of pages among the events.
  [/\b\d{3,}999\b/g, "EVENT"],
  [/(nonce[-=]"?)[\w+/=-]+/g, "$1NONCE"],
  [/(_fresh\/js\/)[\w]+/g, "$1BUILD"],
  [/([?&]v=)\w+/g, "$1BUILD"],
  [/\b[0-9a-f]{12}-[0-9a-z]+\b/g, "REQUEST"],
  [/(\b\d+\/)[0-9a-f]{2}\/[\w-]{20,}/g, "$1NAME"],
  [/(user_exports\/\d+\/\d+\/)[\w-]+/g, "$1NAME"],
  [/(user_uploads\/(?:thumbnail\/)?\d+\/)[\w-]+\/[\w-]+/g, "$1NAME"],
  [
    /(?:%E2%80%8[A-F]|%EF%BB%BF|%F3%A0[%\dA-F]{6}|[\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]){5,}/gu,
    "SHORT",
  ],
];

/** Reads an answer, with everything replaced that differs between two runs. */
export async function readAnswer(name: string, response: Response): Promise<Answer> {
  const lines = HEADERS.flatMap((header) => {
    const value = response.headers.get(header);
    return value === null ? [] : [`${header}: ${value}`];
  });
  const body = replaceVarying(await readBody(response));
  return { name, status: response.status, headers: replaceVarying(lines.join("\n")), body };
}

async function readBody(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return "a stream of events";
  }
  const isText = /json|text|xml|javascript/.test(type);
  return isText ? await response.text() : `${(await response.arrayBuffer()).byteLength} bytes`;
}

/** Replaces what differs between two runs: random names and secrets, and names of built files. */
export function replaceVarying(text: string): string {
  return REPLACED.reduce((replaced, [pattern, by]) => replaced.replaceAll(pattern, by), text);
}

/** Describes how two recordings differ, a text for each answer; `wanted` has patterns of names that may differ. */
export function findDifferences(
  before: readonly Answer[],
  after: readonly Answer[],
  wanted: readonly RegExp[] = [],
): string[] {
  const later = new Map(after.map((answer) => [answer.name, answer]));
  const known = new Set(before.map(({ name }) => name));
  const added = after.filter(({ name }) => !known.has(name)).map(({ name }) => ({
    name,
    text: `${name}\n  only after`,
  }));
  const changed = before.flatMap((old) => {
    const text = describeChange(old, later.get(old.name));
    return text === null ? [] : [{ name: old.name, text: `${old.name}\n${text}` }];
  });
  return [...changed, ...added].filter(({ name }) => !wanted.some((pattern) => pattern.test(name)))
    .map(({ text }) => text);
}

function describeChange(before: Answer, after: Answer | undefined): string | null {
  if (after === undefined) return "  only before";
  const [one, other] = [toText(before), toText(after)];
  if (one === other) return null;
  const at = [...one].findIndex((_, index) => one[index] !== other[index]);
  const from = Math.max(0, (at === -1 ? one.length : at) - 80);
  return `  before: …${one.slice(from, from + 240)}\n  after:  …${other.slice(from, from + 240)}`.replaceAll(
    "\n",
    "\n    ",
  );
}

function toText({ status, headers, body }: Answer): string {
  return `${status}\n${headers}\n${body}`;
}
