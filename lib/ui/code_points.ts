/** A described character of an id. */
export interface CodePoint {
  readonly character: string;
  /** Label of the dashed square: `ZWNJ`, `tag k`, or a visible character itself. */
  readonly label: string;
  /** `U+200C` */
  readonly code: string;
  /** `zero width non-joiner`; empty for a visible character. */
  readonly name: string;
  /** Whether it needs a dashed square to be seen. */
  readonly isInvisible: boolean;
}

/** Invisible characters by number, with a label and their Unicode name. */
const INVISIBLE: ReadonlyMap<number, readonly [label: string, name: string]> = new Map([
  [0x00ad, ["SHY", "soft hyphen"]],
  [0x034f, ["CGJ", "combining grapheme joiner"]],
  [0x180e, ["MVS", "mongolian vowel separator"]],
  [0x200b, ["ZWSP", "zero width space"]],
  [0x200c, ["ZWNJ", "zero width non-joiner"]],
  [0x200d, ["ZWJ", "zero width joiner"]],
  [0x200e, ["LRM", "left-to-right mark"]],
  [0x200f, ["RLM", "right-to-left mark"]],
  [0x2060, ["WJ", "word joiner"]],
  [0x2061, ["f()", "function application"]],
  [0x2062, ["times", "invisible times"]],
  [0x2063, ["comma", "invisible separator"]],
  [0x2064, ["plus", "invisible plus"]],
  [0xfeff, ["BOM", "zero width no-break space"]],
  [0xe0001, ["tag start", "language tag"]],
  [0xe007f, ["tag end", "cancel tag"]],
]);

/** Describes the characters of an id in order. */
export function describeCodePoints(text: string): CodePoint[] {
  return Array.from(text, describe);
}

function describe(character: string): CodePoint {
  const number = character.codePointAt(0) ?? 0;
  const code = `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
  const [label, name] = INVISIBLE.get(number) ?? describeRange(number) ?? [character, ""];
  return { character, label, code, name, isInvisible: label !== character };
}

function describeRange(number: number): readonly [label: string, name: string] | null {
  if (number >= 0xe0020 && number <= 0xe007e) return describeTag(String.fromCodePoint(number - 0xe0000));
  if (number < 0xfe00 || number > 0xfe0f) return null;
  const selector = number - 0xfe00 + 1;
  return [`VS${selector}`, `variation selector-${selector}`];
}

/** Tag characters repeat ASCII invisibly. */
function describeTag(ascii: string): readonly [label: string, name: string] {
  if (ascii === " ") return ["tag space", "tag space"];
  if (/[a-z]/.test(ascii)) return [`tag ${ascii}`, `tag latin small letter ${ascii}`];
  if (/[A-Z]/.test(ascii)) return [`tag ${ascii}`, `tag latin capital letter ${ascii.toLowerCase()}`];
  return [`tag ${ascii}`, `tag ${ascii}`];
}
