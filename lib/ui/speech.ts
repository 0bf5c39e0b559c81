/** A text of the catalogue: one form, or one for each plural category that its `count` may fall into. */
export type Phrase = string | PluralPhrase;

/** Forms by the plural categories of Intl; `other` is for all that have none of their own. */
export interface PluralPhrase {
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly zero?: string;
  readonly other: string;
}

/** What stands in a phrase's braces; numbers are written as the language writes them. */
export type PhraseValues = Readonly<Record<string, string | number>>;

/** How a person is spoken to: language, direction, and Intl's forms of numbers, dates and lists. */
export interface Speech {
  /** A BCP 47 tag, for `lang`. */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  /** A phrase with its values; `count` chooses the plural form. */
  say(phrase: Phrase, values?: PhraseValues): string;
  number(value: number): string;
  /** A day, of milliseconds since 1970 UTC. */
  date(time: number): string;
  /** A day and a time of day. */
  moment(time: number): string;
  /** How far a time is from now, in the largest whole unit: "in 3 days". */
  distance(time: number, now: number): string;
  list(items: readonly string[]): string;
}

/** The language that Intl knows by the tag of a pseudo-language. */
const SPOKEN: ReadonlyMap<string, string> = new Map([["en-XA", "en"], ["ar-XB", "en"]]);
const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/;
const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** The speech of a language, with times of a time zone (IANA; UTC where it is empty). */
export function createSpeech({ language, timeZone }: { language: string; timeZone: string }): Speech {
  const spoken = SPOKEN.get(language) ?? language;
  const zone = timeZone || "UTC";
  const numbers = new Intl.NumberFormat(spoken);
  const plurals = new Intl.PluralRules(spoken);
  const dates = new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeZone: zone });
  const moments = new Intl.DateTimeFormat(spoken, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: zone,
  });
  const distances = new Intl.RelativeTimeFormat(spoken, { numeric: "auto" });
  const lists = new Intl.ListFormat(spoken, { type: "conjunction" });
  const write = (value: string | number) => typeof value === "number" ? numbers.format(value) : value;
  return {
    language,
    direction: directionOf(language),
    say: (phrase, values = {}) =>
      formOf(phrase, plurals, values["count"]).replace(
        /\{(\w+)\}/g,
        (whole, name: string) => values[name] === undefined ? whole : write(values[name]),
      ),
    number: (value) => numbers.format(value),
    date: (time) => dates.format(time),
    moment: (time) => moments.format(time),
    distance: (time, now) => {
      const [unit, size] = UNITS.find(([, size]) => Math.abs(time - now) >= size) ?? ["minute", 60_000];
      return distances.format(Math.trunc((time - now) / size), unit);
    },
    list: (items) => lists.format(items),
  };
}

function formOf(phrase: Phrase, plurals: Intl.PluralRules, count: string | number | undefined): string {
  if (typeof phrase === "string") return phrase;
  return phrase[plurals.select(Number(count))] ?? phrase.other;
}

/** Where lines of a language begin: `rtl` is from the right. */
export function directionOf(language: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(language) ? "rtl" : "ltr";
}
