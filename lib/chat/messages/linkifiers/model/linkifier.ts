import { RE2JS, RE2JSSyntaxException } from "re2js";
import { codePointLength } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";

/** Maximum number of linkifiers of one organization; all of them are tried on every message. */
export const MAX_LINKIFIERS = 200;
/** Maximum length of a pattern, in code points. */
export const MAX_PATTERN = 1000;
/** Maximum length of a URL template, a reverse template and an example, in code points. */
export const MAX_TEMPLATE = 2000;
/** Maximum number of alternative URL templates of one linkifier. */
export const MAX_ALTERNATIVES = 20;
/** Maximum size of an organization's linkifiers in the store, in bytes: they are one record and one event. */
export const MAX_LINKIFIERS_BYTES = 60_000;

/** Fields of a linkifier that an administrator sets, each trimmed. */
export interface LinkifierFields {
  /** RE2 regular expression, which may have named groups. */
  readonly pattern: string;
  /** RFC 6570 URL template whose variables are the named groups. */
  readonly url_template: string;
  readonly example_input: string | null;
  /** Template that converts the groups of a pasted URL to the short text. */
  readonly reverse_template: string | null;
  /** Additional URL templates, used only for converting a URL to the short text. */
  readonly alternative_url_templates: readonly string[];
}

/** A pattern whose matches in messages and topics become links. */
export interface LinkifierRecord extends LinkifierFields {
  readonly id: number;
}

export const linkifierKeys = {
  /** All linkifiers in order: one record, so that one check covers order, number and uniqueness. */
  all: (realmId: number): Key => [realmId, "linkifiers"],
};

/** A compiled pattern; every search takes time linear in the text. */
export interface CompiledPattern {
  /** Matches the pattern anywhere. */
  readonly anywhere: RE2JS;
  /** Matches the pattern where it may become a link: group 1 is the pattern, with the named groups inside. */
  readonly bounded: RE2JS;
  readonly groups: readonly string[];
  /** Approximate work per character of text: 15 for a short pattern. */
  readonly cost: number;
  /** Text that every match begins with; may be empty. */
  readonly prefix: string;
}

/** Maximum program size of a pattern; one for the 64 digits of a commit takes 70. */
const MAX_PROGRAM = 300;
/**
 * A match begins after whitespace, a quotation mark, an opening bracket, a comma or a colon, or at the start.
 */
const BEFORE = String.raw`(?:^|[\s\x{0085}\pZ'"(,:<])`;
/** A match is not followed by a letter or digit. */
const AFTER = String.raw`(?:$|[^\pL\pN])`;

/** Compiles a pattern, or returns what is wrong with it. */
export function compilePattern(pattern: string): CompiledPattern | { readonly problem: string } {
  // Compiling takes longer than in proportion to the length.
  if (codePointLength(pattern) > MAX_PATTERN) return { problem: "it is too large" };
  const anywhere = compile(pattern);
  if (typeof anywhere === "string") return { problem: anywhere };
  const bounded = compile(`${BEFORE}(${pattern})${AFTER}`);
  if (typeof bounded === "string") return { problem: "it does not end by itself" };
  const size = bounded.programSize();
  if (size > MAX_PROGRAM) return { problem: "it is too large" };
  // Measured: large programs and many repetitions cost more per instruction, as they leave the engine's fast
  // paths.
  const repetitions = pattern.split(/[*+{]/).length - 1;
  const cost = Math.ceil(size * Math.max(1, size / 15) * Math.max(1, repetitions / 2));
  return { anywhere, bounded, groups: Object.keys(anywhere.namedGroups()), cost, prefix: prefixOf(pattern) };
}

/** Compiles a regular expression, or returns what is wrong with it. */
function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    // Errors other than syntax errors come from patterns that are too deep or too large for the engine.
    if (!(error instanceof RE2JSSyntaxException)) return "it is too large";
    return error.message.replace(/^error parsing regexp: /, "").replaceAll("`", "");
  }
}

/** Returns the literal characters that a pattern without alternatives starts with. */
function prefixOf(pattern: string): string {
  if (pattern.includes("|")) return "";
  const prefix = /^[A-Za-z0-9_ #@!/:;=,~"'%&<>-]*/.exec(pattern)?.[0] ?? "";
  return /[*?+{]/.test(pattern.charAt(prefix.length)) ? prefix.slice(0, -1) : prefix;
}

/** Returns the values of a match's named groups, without groups that did not participate. */
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
