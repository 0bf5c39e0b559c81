import {
  type DaySums,
  FILE_KINDS,
  JOINING_STEPS,
  listDaySums,
  type Measure,
  MESSAGE_KINDS,
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
    readMessageChart(request, span),
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

/** A chart of all sums of a measure, and those of its parts by name. */
export interface ChartWithParts {
  readonly chart: TimeChart;
  readonly parts: Readonly<Record<string, TimeChart>>;
}

/** Reads the messages by kind. */
export async function readMessageChart(request: AdminRequest, span: ChartSpan): Promise<ChartWithParts> {
  return await readParts(request, span, { measure: "messages", names: MESSAGE_KINDS });
}

/** Reads the new accounts, and the steps of joining as parts. */
export async function readJoiningChart(request: AdminRequest, span: ChartSpan): Promise<ChartWithParts> {
  const { chart, parts } = await readParts(request, span, { measure: "joining", names: JOINING_STEPS });
  return { chart: parts["joined"] ?? chart, parts };
}

/** Reads the bytes of new files with their kinds as parts, and those of removed files as the part `removed`. */
export async function readStorageChart(request: AdminRequest, span: ChartSpan) {
  const [{ chart, parts }, { chart: removed }] = await Promise.all([
    readParts(request, span, { measure: "bytes_added", names: FILE_KINDS }),
    readParts(request, span, { measure: "bytes_removed", names: [] }),
  ]);
  return { chart, parts: { ...parts, removed } };
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

/** Reads the sums of a measure in the span and in the one that it is compared with. */
async function readParts<M extends Measure>(
  { chat, realm }: AdminRequest,
  span: ChartSpan,
  { measure, names }: { readonly measure: M; readonly names: readonly (DaySums[M] & string)[] },
): Promise<ChartWithParts> {
  const sums: (TimeSum & { readonly part: DaySums[M] })[] = [];
  const from = span.isCompared ? 2 * span.start - span.end : span.start;
  const range = { from: dayOf(from), to: dayOf(span.end - 1) };
  for await (
    const { day, part, count } of listDaySums(chat.store.kv, { realmId: realm.id, measure }, range)
  ) sums.push({ time: day * DAY_MS, part, count });
  const toPart = (name: string) => toTimeChart(sums.filter(({ part }) => part === name), span);
  return {
    chart: toTimeChart(sums, span),
    parts: Object.fromEntries(names.map((name) => [name, toPart(name)])),
  };
}
