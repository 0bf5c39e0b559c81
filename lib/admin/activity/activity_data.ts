import {
  type DaySums,
  FILE_KINDS,
  JOINING_STEPS,
  listDaySums,
  type Measure,
  MESSAGE_KINDS,
  type MessageKind,
  rankChannels,
  readStorage,
} from "@/lib/chat/organization/statistics/store.ts";
import { listActiveCounts } from "@/lib/chat/people/activity/store.ts";
import { DAY_MS, dayOf, weekStartOf } from "@/lib/core/clock.ts";
import type { AdminRequest } from "../admin_request.ts";
import {
  type ChartRange,
  type ChartSpan,
  type RangeChoices,
  readChartRange,
  type TimeChart,
  type TimeSum,
  toChartSpan,
  toTimeChart,
} from "../charts/time_chart.ts";
import { listShownChannels } from "../shown_people.ts";

/** Number of channels on the page. */
const SHOWN_CHANNELS = 10;

const CHOICES: RangeChoices = { periods: ["7", "30", "90", "365"], units: ["day", "week"] };

/** Data of the page about the activity of an organization. */
export type ActivityData = Awaited<ReturnType<typeof loadActivity>>;

/** Loads the activity of an organization. */
export async function loadActivity(request: AdminRequest) {
  const { chat, realm, query } = request;
  const { range, span } = readActivityRange(request);
  const kind = MESSAGE_KINDS.find((name) => name === query.get("kind")) ?? null;
  const [messages, active, channels, joining, files, stored] = await Promise.all([
    readMessageChart(request, span, kind),
    realm.settings.presence_disabled ? null : readActiveChart(request, span),
    readBusiestChannels(request, span, SHOWN_CHANNELS),
    readJoiningChart(request, span),
    readStorageChart(request, span),
    readStorage(chat.store.kv, realm.id),
  ]);
  return { range, messages, kind, active, channels, joining, files, stored };
}

/** Reads the period that an address asks for. */
export function readActivityRange({ chat, query }: AdminRequest): { range: ChartRange; span: ChartSpan } {
  const range = readChartRange(query, CHOICES, chat.clock.now());
  return { range, span: toChartSpan(range) };
}

/**
 * Reads the channels with most messages that the administrator can see. Where there are more sums than are read, the
 * newest days count, and only whole ones; `since` is then the first of them, in milliseconds since 1970 UTC.
 */
export async function readBusiestChannels(request: AdminRequest, span: ChartSpan, limit: number) {
  const range = { from: dayOf(span.start), to: dayOf(span.end - 1) };
  const [{ ranked, since }, visible] = await Promise.all([
    rankChannels(request.chat, request.realm.id, range),
    listShownChannels(request, { includeArchived: true }),
  ]);
  const byId = new Map(visible.map((channel) => [channel.id, channel]));
  const busiest = ranked.flatMap(([id, count]) => {
    const channel = byId.get(id);
    return channel === undefined ? [] : [{ channel, count }];
  });
  return { channels: busiest.slice(0, limit), since: since === null ? null : since * DAY_MS };
}

/** A chart, and those of its parts by name. */
export interface ChartWithParts {
  readonly chart: TimeChart;
  readonly parts: Readonly<Record<string, TimeChart>>;
}

/** Reads the messages by kind; the chart shows those of one kind, or all of them. */
export async function readMessageChart(
  request: AdminRequest,
  span: ChartSpan,
  kind: MessageKind | null,
): Promise<ChartWithParts> {
  const sums = await readSums(request, span, "messages");
  const shown = kind === null ? [...sums.values()].flat() : sums.get(kind) ?? [];
  return { chart: toTimeChart(shown, span), parts: toParts(MESSAGE_KINDS, sums, span) };
}

/** Reads the new accounts, and the steps of joining as parts. */
export async function readJoiningChart(request: AdminRequest, span: ChartSpan): Promise<ChartWithParts> {
  const sums = await readSums(request, span, "joining");
  return {
    chart: toTimeChart(sums.get("joined") ?? [], span),
    parts: toParts(JOINING_STEPS, sums, span),
  };
}

/** Reads the bytes of new files with their kinds as parts, and those of removed files as the part `removed`. */
export async function readStorageChart(request: AdminRequest, span: ChartSpan): Promise<ChartWithParts> {
  const [added, removed] = await Promise.all([
    readSums(request, span, "bytes_added"),
    readSums(request, span, "bytes_removed"),
  ]);
  return {
    chart: toTimeChart([...added.values()].flat(), span),
    parts: {
      ...toParts(FILE_KINDS, added, span),
      removed: toTimeChart([...removed.values()].flat(), span),
    },
  };
}

/**
 * Reads the people active on each day, or in each week: a person of several days counts once in a week. Weeks are
 * whole ones, so the first may begin before the span.
 */
export async function readActiveChart({ chat, realm }: AdminRequest, span: ChartSpan): Promise<TimeChart> {
  const unit = span.unit === "week" ? "week" : "day";
  const start = unit === "day" ? span.start : weekStartOf(dayOf(span.start)) * DAY_MS;
  const end = unit === "day" ? span.end : (weekStartOf(dayOf(span.end - 1)) + 7) * DAY_MS;
  const sums = await listActiveCounts(chat, realm.id, { unit, start: 2 * start - end, end });
  return toTimeChart(sums, { ...span, unit, start, end });
}

/** Reads the sums of a measure in the span and the one before it, by part. */
async function readSums<M extends Measure>(
  { chat, realm }: AdminRequest,
  span: ChartSpan,
  measure: M,
): Promise<ReadonlyMap<DaySums[M], readonly TimeSum[]>> {
  const sums = new Map<DaySums[M], TimeSum[]>();
  const range = { from: dayOf(2 * span.start - span.end), to: dayOf(span.end - 1) };
  for await (
    const { day, part, count } of listDaySums(chat.store.kv, { realmId: realm.id, measure }, range)
  ) {
    sums.getOrInsertComputed(part, () => []).push({ time: day * DAY_MS, count });
  }
  return sums;
}

function toParts<Name extends string>(
  names: readonly Name[],
  sums: ReadonlyMap<Name, readonly TimeSum[]>,
  span: ChartSpan,
): ChartWithParts["parts"] {
  return Object.fromEntries(names.map((name) => [name, toTimeChart(sums.get(name) ?? [], span)]));
}
