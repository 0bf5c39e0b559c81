/** A kind of text that is slow for some parser. */
export interface SlowKind {
  readonly title: string;
  /** Whether it is sent as such, whatever encoding the input has. */
  readonly isRaw: boolean;
  /** Creates the text with about `size` characters. */
  readonly create: (size: number) => string;
}

/** Units that are repeated: runs of one character, and alternating classes of characters. */
const UNITS: readonly string[] = [
  ..." a1(.<*`\\%,;\0é[{\"'@:/-_=+|>\n!~$#&\t",
  "\u200d",
  "\u0301",
  "\u202e",
  "\ud800",
  "👩‍👩‍👧",
  "ǅß",
  "a.",
  "é.",
  "a@",
  "a ",
  "-_",
  "( )",
  "(a",
  "](",
  "[]",
  "![a](",
  "**_",
  "@**a",
  "#**a>",
  ":a:",
  "a,",
  "a\n",
  "a,b\n",
  '"a",',
  '""',
  "a;q=1,",
  "<a>",
  "<!--",
  "&amp;",
  "> ",
  "* ",
  "- a\n",
  "|a",
  "~~a",
  "$$a",
  "`a ",
  "http://a ",
  "https://a.example/",
  "(a+)+",
  "(?:",
  "(a|",
  "[a-",
  "a{9}",
  "%41",
  `${"a,".repeat(500)}\n`,
  "__proto__",
  "\\u0041",
];

/** Texts around a run, which parsers read up to the last character before they refuse it. */
const FRAMES: readonly (readonly [before: string, unit: string, after: string])[] = [
  ["x@", "a.", ".example"],
  ["x@", ".", "example"],
  ["x@", "-", ".example"],
  ["x@a", " ", "x"],
  ["", "a.", "@x..example"],
  ["", "é.", "@x..example"],
  ['"', " ", '"@example.com'],
  ["<", "(", "x@example.com>"],
  ["a", " ", "b"],
  ["(?P<id>", "(", ")"],
  ["(?P<id>[0-9]+)", "a?", "a"],
  ["https://", "a.", "example/"],
  ["https://example.com/?", "a=&", ""],
  ["https://example.com/", "../", ""],
  ["https://[", ":", "]/"],
  ["https://x.example/{", "id}{", "id}"],
  ["Europe/", "a/", ""],
  ["2026-01-01T00:00:00", "0", "Z"],
  ["2026-01-01T00:00:00.", "0", "Z"],
  ["#", "f", ""],
  ["email,name\n", "a@example.com,a\n", ""],
  ["email,name\n", "(a,\n", ""],
  ['email,name\n"', '""', "\n"],
  ["pattern,url_template\n", "a-(?P<id>[0-9]+),https://x.example/{id}\n", ""],
];

const JSON_KINDS: readonly (readonly [title: string, before: string, unit: string, after: string])[] = [
  ["numbers", "[1", ",1", "]"],
  ["fractions", "[1.5", ",1.5", "]"],
  ["nulls", "[null", ",null", "]"],
  ["booleans", "[true", ",true", "]"],
  ["texts", '["a"', ',"a"', "]"],
  ["objects", "[{}", ",{}", "]"],
  ["objects with members", '[{"id":1}', ',{"id":"x","name":1}', "]"],
  ["lists", "[[]", ",[]", "]"],
  ["open lists", "", "[", ""],
  ["open objects", "", '{"a":', ""],
  ["escapes", '"', "\\u0000", '"'],
  ["digits", "", "9", ""],
  ["fraction digits", "0.", "9", ""],
  ["exponent", "1e", "9", ""],
  ["white space", "1", " ", "1"],
  ["repeated members", '{"a":1', ',"a":1', "}"],
  ["prototype", '{"__proto__":1', ',"__proto__":{"a":1}', "}"],
];

/** Texts that are slow for some parser. */
export const SLOW_KINDS: readonly SlowKind[] = [
  ...UNITS.map((unit) => ({
    title: JSON.stringify(unit),
    isRaw: false,
    create: (size: number) => fill(["", unit, ""], size),
  })),
  ...FRAMES.map((frame) => ({
    title: frame.map((part) => JSON.stringify(part)).join(" … "),
    isRaw: false,
    create: (size: number) => fill(frame, size),
  })),
  ...JSON_KINDS.map(([title, ...frame]) => ({
    title: `JSON: ${title}`,
    isRaw: true,
    create: (size: number) => fill(frame, size),
  })),
  { title: "JSON: deep lists", isRaw: true, create: (size) => nest("[", "]", size) },
  { title: "JSON: deep objects", isRaw: true, create: (size) => nest('{"a":', "}", size) },
  {
    title: "JSON: deep list of many",
    isRaw: true,
    create: (size) => `${"[".repeat(4000)}${"1,".repeat(size / 2)}1${"]".repeat(4000)}`,
  },
  {
    title: "JSON: distinct numbers",
    isRaw: true,
    create: (size) => `[${Array.from({ length: size / 7 }, (_, at) => at + 100_000).join()}]`,
  },
  {
    title: "JSON: distinct members",
    isRaw: true,
    create: (size) => `{${Array.from({ length: size / 12 }, (_, at) => `"k${at + 100_000}":1`).join()}}`,
  },
];

function fill([before, unit, after]: readonly [string, string, string], size: number): string {
  const length = Math.max(0, size - before.length - after.length);
  return before + unit.repeat(Math.floor(length / unit.length)) + after;
}

function nest(open: string, close: string, size: number): string {
  const depth = Math.floor(size / (open.length + close.length));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Bodies that are slow as a whole, whatever fields the request takes. */
export const SLOW_BODIES: readonly SlowKind[] = [
  { title: "fields", isRaw: true, create: (size) => "a=1&".repeat(size / 4) },
  { title: "empty fields", isRaw: true, create: (size) => "&".repeat(size) },
  { title: "long values", isRaw: true, create: (size) => `a=${"b".repeat(size / 1000)}&`.repeat(990) },
  {
    title: "long names",
    isRaw: true,
    create: (size) => Array.from({ length: 990 }, (_, at) => `${at}${"x".repeat(size / 1000)}=`).join("&"),
  },
  {
    title: "many names",
    isRaw: true,
    create: (size) => Array.from({ length: size / 8 }, (_, at) => `k${at}=1`).join("&"),
  },
  { title: "one name", isRaw: true, create: (size) => "a".repeat(size) },
  { title: "percent signs", isRaw: true, create: (size) => `a=${"%".repeat(size)}` },
  { title: "escapes", isRaw: true, create: (size) => `a=${"%41".repeat(size / 3)}` },
];
