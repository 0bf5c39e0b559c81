/** A text: one form, or one for each plural category of its `count`. */
export type Phrase = string | PluralPhrase;

/**
 * Forms by the plural categories of Intl; `other` covers all without a form of their own, and `zero` is also the form of
 * 0 where the language has no category for it.
 */
interface PluralPhrase {
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly zero?: string;
  readonly other: string;
}

/** Values of a message's placeholders; numbers are formatted for the language. */
export type PhraseValues = Readonly<Record<string, string | number>>;

/** Formatting of messages, numbers, dates and lists in a language. */
export interface Formatter {
  /** BCP 47 tag for the `lang` attribute. */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  /** Formats a message with its values; `count` chooses the plural form. */
  t(phrase: Phrase, values?: PhraseValues): string;
  number(value: number): string;
  /** Formats the date of a time in milliseconds since 1970 UTC. */
  date(time: number): string;
  /** Formats the date and the time of day; the page names the time zone once. */
  moment(time: number): string;
  /** Formats the distance of a time from now, rounded to the largest unit that it fills: "in 3 days". */
  distance(time: number, now: number): string;
  list(items: readonly string[]): string;
}

/** Language that Intl uses for a pseudo-language. */
const INTL_LANGUAGES: ReadonlyMap<string, string> = new Map([["en-XA", "en"], ["ar-XB", "en"]]);
const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/;
const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const MOMENT = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
} as const;

/**
 * Creates the formatting of a language and time zone (IANA; UTC when empty). Each of Intl's formats is made when it is
 * first used, as making them all takes a millisecond.
 */
export function createFormatter({ language, timeZone }: { language: string; timeZone: string }): Formatter {
  const locale = INTL_LANGUAGES.get(language) ?? language;
  const zone = timeZone || "UTC";
  const numbers = lazy(() => new Intl.NumberFormat(locale));
  const plurals = lazy(() => new Intl.PluralRules(locale));
  const dates = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: zone }));
  const moments = lazy(() => new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone: zone }));
  const distances = lazy(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  const longDistances = lazy(() => new Intl.RelativeTimeFormat(locale));
  const lists = lazy(() => new Intl.ListFormat(locale, { type: "conjunction" }));
  const write = (value: string | number) => typeof value === "number" ? numbers().format(value) : value;
  return {
    language,
    direction: directionOf(language),
    t: (phrase, values = {}) =>
      formOf(phrase, plurals, values["count"]).replace(
        /\{(\w+)\}/g,
        (whole, name: string) => values[name] === undefined ? whole : write(values[name]),
      ),
    number: (value) => numbers().format(value),
    date: (time) => dates().format(time),
    moment: (time) => moments().format(time),
    distance: (time, now) => {
      const [unit, size] = findUnit(Math.abs(time - now));
      // "next month" may be 30 days away.
      const format = unit === "year" || unit === "month" ? longDistances() : distances();
      return format.format(Math.round((time - now) / size), unit);
    },
    list: (items) => lists().format(items),
  };
}

/** Returns a function that makes a value when it is first called; smaller in the browser than that of a library. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** Returns the largest unit that a time fills when it is rounded to the next smaller one. */
function findUnit(ms: number): readonly [Intl.RelativeTimeFormatUnit, number] {
  return UNITS.find(([, size], at) => {
    const smaller = UNITS[at + 1]?.[1] ?? size;
    return Math.max(ms, Math.round(ms / smaller) * smaller) >= size;
  }) ?? ["minute", 60_000];
}

function formOf(phrase: Phrase, plurals: () => Intl.PluralRules, count: string | number | undefined): string {
  if (typeof phrase === "string") return phrase;
  return (count === 0 ? phrase.zero : undefined) ?? phrase[plurals().select(Number(count))] ?? phrase.other;
}

/** Returns the text direction of a language. */
export function directionOf(language: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(language) ? "rtl" : "ltr";
}
