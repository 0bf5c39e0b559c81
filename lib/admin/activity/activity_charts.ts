import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { listActiveCounts } from "@/lib/chat/people/activity/store.ts";
import {
  type DaySums,
  FILE_KINDS,
  JOINING_STEPS,
  listDaySums,
  type Measure,
  MESSAGE_KINDS,
  type MessageKind,
} from "@/lib/chat/organization/statistics/store.ts";
import { DAY_MS, dayOf, weekStartOf } from "@/lib/core/days.ts";
import { type ChartSpan, type TimeChart, type TimeSum, toTimeChart } from "../charts/time_chart.ts";

/** An organization and the time that its charts show. */
export interface ActivityQuery {
  readonly chat: ChatApp;
  readonly realmId: number;
  readonly span: ChartSpan;
}

/** A chart of one part of what it counts. */
interface PartChart<Name extends string = string> {
  readonly name: Name;
  readonly chart: TimeChart;
}

/** A chart, and those of its parts. */
export interface ChartWithParts<Name extends string = string> {
  readonly chart: TimeChart;
  readonly parts: readonly PartChart<Name>[];
}

/** Reads the messages by kind; the chart shows those of one kind, or all of them. */
export async function readMessageChart(
  query: ActivityQuery,
  kind: MessageKind | null,
): Promise<ChartWithParts<MessageKind>> {
  const sums = await readSums(query, "messages");
  const parts = toParts(MESSAGE_KINDS, sums, query.span);
  const shown = kind === null ? [...sums.values()].flat() : sums.get(kind) ?? [];
  return { chart: toTimeChart(shown, query.span), parts };
}

/** Reads the new accounts, and the other steps of joining as parts. */
export async function readJoiningChart(query: ActivityQuery): Promise<ChartWithParts> {
  const sums = await readSums(query, "joining");
  const chart = toTimeChart(sums.get("joined") ?? [], query.span);
  return { chart, parts: toParts(JOINING_STEPS, sums, query.span) };
}

/** Reads the bytes of new files with their kinds as parts, and those of removed files as the part `removed`. */
export async function readStorageChart(query: ActivityQuery): Promise<ChartWithParts> {
  const [added, removed] = await Promise.all([
    readSums(query, "bytes_added"),
    readSums(query, "bytes_removed"),
  ]);
  const removedSums = [...removed.values()].flat();
  return {
    chart: toTimeChart([...added.values()].flat(), query.span),
    parts: [
      ...toParts(FILE_KINDS, added, query.span),
      { name: "removed", chart: toTimeChart(removedSums, query.span) },
    ],
  };
}

/**
 * Reads the people active on each day, or in each week: a person of several days counts once in a week. Weeks are
 * whole ones, so the first may begin before the span.
 */
export async function readActiveChart({ chat, realmId, span }: ActivityQuery): Promise<TimeChart> {
  const unit = span.unit === "week" ? "week" : "day";
  const start = unit === "day" ? span.start : weekStartOf(dayOf(span.start)) * DAY_MS;
  const end = unit === "day" ? span.end : (weekStartOf(dayOf(span.end - 1)) + 7) * DAY_MS;
  const sums = await listActiveCounts(chat, realmId, { unit, start: 2 * start - end, end });
  return toTimeChart(sums, { ...span, unit, start, end });
}

/** Reads the sums of a measure in the span and the one before it, by part. */
async function readSums<M extends Measure>(
  { chat, realmId, span }: ActivityQuery,
  measure: M,
): Promise<ReadonlyMap<DaySums[M], readonly TimeSum[]>> {
  const sums = new Map<DaySums[M], TimeSum[]>();
  const range = { from: dayOf(2 * span.start - span.end), to: dayOf(span.end - 1) };
  for await (const { day, part, count } of listDaySums(chat.store.kv, { realmId, measure }, range)) {
    const sum = { time: day * DAY_MS, count };
    const others = sums.get(part);
    if (others === undefined) sums.set(part, [sum]);
    else others.push(sum);
  }
  return sums;
}

function toParts<Name extends string>(
  names: readonly Name[],
  sums: ReadonlyMap<Name, readonly TimeSum[]>,
  span: ChartSpan,
): readonly PartChart<Name>[] {
  return names.map((name) => ({ name, chart: toTimeChart(sums.get(name) ?? [], span) }));
}
