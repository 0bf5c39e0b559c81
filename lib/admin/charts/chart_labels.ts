import type { TimeChart } from "./time_chart.ts";
import { createFormatter, type Phrase } from "@/lib/ui/formatter.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";

/** Text of a figure of a period, and of the one before. */
export const TOTAL = "{amount} in this period.";
export const BEFORE = "Previous period: {amount}.";
/** Comparison of a period with the one before; `count` is its length in days. */
const COMPARED = {
  more: {
    one: "{amount}, {share}% more than on the day before.",
    other: "{amount}, {share}% more than in the {count} days before.",
  },
  /** For growth whose percentage is hard to read. */
  muchMore: {
    one: "{amount}, more than 10 times the figure of the day before.",
    other: "{amount}, more than 10 times the figure of the {count} days before.",
  },
  fewer: {
    one: "{amount}, {share}% fewer than on the day before.",
    other: "{amount}, {share}% fewer than in the {count} days before.",
  },
  less: {
    one: "{amount}, {share}% less than on the day before.",
    other: "{amount}, {share}% less than in the {count} days before.",
  },
  same: {
    one: "{amount}, about the same as on the day before.",
    other: "{amount}, about the same as in the {count} days before.",
  },
  none: {
    one: "{amount}; none on the day before.",
    other: "{amount}; none in the {count} days before.",
  },
};

/** Names of the counts of a chart. */
export interface ChartLabels {
  /** Returns a count with its noun: "312 messages". */
  readonly amount: (count: number) => string;
  /** Returns a count for a scale or a table: "312". */
  readonly figure: (count: number) => string;
  /** Text of a period without any. */
  readonly none: string;
  /** Number of counts in a unit of the scale; 1 without it. */
  readonly scale?: number;
}

/** A phrase for a count, and the text of a period without any. */
export type Noun = readonly [count: Phrase, none: string];

export const NOUNS = {
  messages: [{ one: "{count} message", other: "{count} messages" }, "No messages in this period."],
  active: [{ one: "{count} active user", other: "{count} active users" }, "No activity in this period."],
  joined: [{ one: "{count} new user", other: "{count} new users" }, "Nobody joined in this period."],
  visits: [{ one: "{count} visit", other: "{count} visits" }, "No visits in this period."],
} as const satisfies Readonly<Record<string, Noun>>;

/** Returns the labels for counts of a noun. */
export function useCountLabels([noun, none]: Noun): ChartLabels {
  const { t, formatter } = useAdmin();
  return { amount: (count) => t(noun, { count }), figure: formatter.number, none: t(none) };
}

/** Returns a function that formats the start of a point: an hour or a day of UTC, for every viewer. */
export function useUtcDates({ unit }: Pick<TimeChart, "unit">): (time: number) => string {
  const { formatter: { language } } = useAdmin();
  const { moment, date } = createFormatter({ language, timeZone: "UTC" });
  return unit === "hour" ? moment : date;
}

/** Describes the highest and the lowest point of a chart. */
export function describeChart(
  { points, total }: Pick<TimeChart, "points" | "total">,
  labels: ChartLabels,
  { t, dates }: Pick<AdminSession, "t"> & { readonly dates: (time: number) => string },
): string {
  if (total === 0) return labels.none;
  const most = points.reduce((one, other) => other.count > one.count ? other : one);
  const least = points.reduce((one, other) => other.count < one.count ? other : one);
  const sentences = [
    t("Highest: {amount}, {date}.", { amount: labels.amount(most.count), date: dates(most.start) }),
  ];
  if (points.length > 1) {
    sentences.push(
      t("Lowest: {amount}, {date}.", { amount: labels.amount(least.count), date: dates(least.start) }),
    );
  }
  return sentences.join(" ");
}

/** A figure of a period with that of the period before; null without comparison. */
interface ComparedFigure {
  readonly amount: string;
  readonly chart: Pick<TimeChart, "total" | "before" | "days">;
  /** Whether it is a size, which is less rather than fewer. */
  readonly isSize?: boolean;
}

/** Growth in percent above which a figure is more than ten times that of the period before. */
const TENFOLD = 900;

/** Describes a figure and its difference to the period before. */
export function describeComparison(
  { amount, chart: { total: now, before, days }, isSize = false }: ComparedFigure,
  t: AdminSession["t"],
): string {
  if (before === null) return t(TOTAL, { amount });
  const share = before === 0 ? 0 : Math.round(Math.abs(now - before) / before * 100);
  const { more, muchMore, fewer, less, same, none } = COMPARED;
  const up = share > TENFOLD ? muchMore : more;
  const down = isSize ? less : fewer;
  const phrase = before === 0 && now > 0 ? none : share === 0 ? same : now > before ? up : down;
  return t(phrase, { amount, share, count: days });
}
