import type { TimeChart } from "@/lib/admin/charts/time_chart.ts";
import { createFormatter, type Formatter, type Phrase } from "@/lib/ui/formatter.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";
import { useAdmin } from "../admin_view.ts";

/** Names of the counts of a chart. */
export interface ChartWords {
  /** Returns a count with its noun: "312 messages". */
  readonly amount: (count: number) => string;
  /** Returns a count for a scale or a table: "312". */
  readonly figure: (count: number) => string;
  /** Text of a period without any. */
  readonly none: string;
  /** Number of counts in a unit of the scale; 1 without it. */
  readonly scale?: number;
}

/** Returns the words for counts of a noun. */
export function useCountWords(noun: Phrase, none: string): ChartWords {
  const { formatter } = useAdmin();
  return { amount: (count) => formatter.t(noun, { count }), figure: formatter.number, none };
}

/** Returns a function that formats the start of a point: an hour, or a day, which is one of UTC for every viewer. */
export function useUtcDates({ unit }: Pick<TimeChart, "unit">): (time: number) => string {
  const { formatter } = useAdmin();
  if (unit === "hour") return formatter.moment;
  return createFormatter({ language: formatter.language, timeZone: "UTC" }).date;
}

/** Words for charts and how they are formatted. */
interface ChartTexts {
  readonly formatter: Pick<Formatter, "t">;
  readonly text: Messages["charts"];
}

/** Describes the highest and the lowest point of a chart. */
export function describeChart(
  { places, total }: Pick<TimeChart, "places" | "total">,
  words: ChartWords,
  { formatter: { t }, text, dates }: ChartTexts & { readonly dates: (time: number) => string },
): string {
  if (total === 0) return words.none;
  const most = places.reduce((one, other) => other.count > one.count ? other : one);
  const least = places.reduce((one, other) => other.count < one.count ? other : one);
  const sentences = [t(text.most, { amount: words.amount(most.count), date: dates(most.start) })];
  if (places.length > 1) {
    sentences.push(t(text.least, { amount: words.amount(least.count), date: dates(least.start) }));
  }
  return sentences.join(" ");
}

/** A figure of a period with that of the period before; null without comparison. */
interface ComparedFigure {
  readonly amount: string;
  readonly now: number;
  readonly before: number | null;
  /** Length of the period in days. */
  readonly days: number;
  /** Whether it is a size, which is less rather than fewer. */
  readonly isSize?: boolean;
}

/** Growth in percent above which a figure is more than ten times that of the period before. */
const TENFOLD = 900;

/** Describes a figure and its difference to the period before. */
export function describeComparison(
  { amount, now, before, days, isSize = false }: ComparedFigure,
  { formatter: { t }, text }: ChartTexts,
): string {
  if (before === null) return t(text.total, { amount });
  const share = before === 0 ? 0 : Math.round(Math.abs(now - before) / before * 100);
  const { more, muchMore, fewer, less, same, none } = text.compared;
  const up = share > TENFOLD ? muchMore : more;
  const down = isSize ? less : fewer;
  const phrase = before === 0 && now > 0 ? none : share === 0 ? same : now > before ? up : down;
  return t(phrase, { amount, share, count: days });
}
