import { RE2JS, RE2JSSyntaxException } from "re2js";

/** A pattern that is ready to search with; every search takes time linear in the text. */
export interface CompiledPattern {
  /** Finds the pattern anywhere. */
  readonly anywhere: RE2JS;
  /** Finds it where it may become a link: the pattern itself is group 1, the named ones lie in it. */
  readonly bounded: RE2JS;
  /** The names of its groups. */
  readonly groups: readonly string[];
  /** About how much work one character of a text can be: 15 for a short pattern. */
  readonly cost: number;
  /** A text that every match begins with; may be empty. */
  readonly prefix: string;
}

/** The largest program of a pattern; a commit's 64 digits take 70. */
const MAX_PROGRAM = 300;
/** A match begins after a blank, a quotation mark, an opening bracket, a comma or a colon, or at the start. */
const BEFORE = String.raw`(?:^|[\s\x{0085}\pZ'"(,:<])`;
/** And no letter or digit follows it. */
const AFTER = String.raw`(?:$|[^\pL\pN])`;

/** A pattern made ready, or what is wrong with it. */
export function compilePattern(pattern: string): CompiledPattern | { readonly problem: string } {
  const anywhere = compile(pattern);
  if (typeof anywhere === "string") return { problem: anywhere };
  const bounded = compile(`${BEFORE}(${pattern})${AFTER}`);
  if (typeof bounded === "string") return { problem: "it does not end by itself" };
  const size = bounded.programSize();
  if (size > MAX_PROGRAM) return { problem: "it is too large" };
  // Measured: large programs and many repetitions cost more for each instruction, as they leave the engine's fast paths.
  const repetitions = pattern.split(/[*+{]/).length - 1;
  const cost = Math.ceil(size * Math.max(1, size / 15) * Math.max(1, repetitions / 2));
  return { anywhere, bounded, groups: Object.keys(anywhere.namedGroups()), cost, prefix: prefixOf(pattern) };
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    // Other errors than of syntax come from patterns that are too deep or too large for the engine.
    if (!(error instanceof RE2JSSyntaxException)) return "it is too large";
    return error.message.replace(/^error parsing regexp: /, "").replaceAll("`", "");
  }
}

/** The plain characters that a pattern without alternatives starts with. */
function prefixOf(pattern: string): string {
  if (pattern.includes("|")) return "";
  const prefix = /^[A-Za-z0-9_ #@!/:;=,~"'%&<>-]*/.exec(pattern)?.[0] ?? "";
  return /[*?+{]/.test(pattern.charAt(prefix.length)) ? prefix.slice(0, -1) : prefix;
}

/** What the named groups of a match hold; groups that took no part are left out. */
export function readGroups(
  { groups }: CompiledPattern,
  match: { group(name: string): string | null },
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of groups) {
    const value = match.group(name);
    if (value !== null) values.set(name, value);
  }
  return values;
}
