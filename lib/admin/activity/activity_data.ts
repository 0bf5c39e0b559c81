import {
  type DaySums,
  FILE_KINDS,
  type FileKind,
  JOINING_STEPS,
  listDaySums,
  type Measure,
  MESSAGE_KINDS,
  type MessageKind,
  rankChannels,
  type RankedChannels,
  readStorage,
} from "@/lib/chat/organization/statistics/store.ts";
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
import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { listSubscribedChannelIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { DAY_MS, dayOf, weekStartOf } from "@/lib/core/clock.ts";
import { readMany } from "@/lib/store/reads.ts";
import { type ChannelKind, kindOf } from "../pages/channels/channel_kind.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { listActiveCounts } from "@/lib/chat/people/activity/store.ts";

/** Number of channels on the page. */
const SHOWN_CHANNELS = 10;

const CHOICES: RangeChoices = { periods: ["7", "30", "90", "365"], units: ["day", "week"] };

/** Data of the page about the activity of an organization. */
export interface ActivityData {
  readonly range: ChartRange;
  readonly messages: ChartWithParts<MessageKind>;
  /** The kind of messages that the chart shows; null for all. */
  readonly kind: MessageKind | null;
  /** Null when the organization does not store presence. */
  readonly active: TimeChart | null;
  readonly channels: BusiestChannels;
  readonly joining: ChartWithParts;
  readonly files: ChartWithParts;
  /** Size of the stored files by kind, in bytes. */
  readonly stored: Readonly<Record<FileKind, number>>;
}

/** Loads the activity of an organization. */
export async function loadActivity(request: AdminRequest): Promise<ActivityData> {
  const { chat, realm } = request;
  const { range, query, kind } = readActivityQuery(request);
  const [messages, active, channels, joining, files, stored] = await Promise.all([
    readMessageChart(query, kind),
    realm.settings.presence_disabled ? null : readActiveChart(query),
    readBusiestChannels(request, query.span, SHOWN_CHANNELS),
    readJoiningChart(query),
    readStorageChart(query),
    readStorage(chat.store.kv, realm.id),
  ]);
  return { range, messages, kind, active, channels, joining, files, stored };
}

/** Reads the period and the kind of messages that an address asks for. */
export function readActivityQuery({ chat, realm, query }: AdminRequest): {
  readonly range: ChartRange;
  readonly query: ActivityQuery;
  readonly kind: MessageKind | null;
} {
  const range = readChartRange(query, CHOICES, chat.clock.now());
  return {
    range,
    query: { chat, realmId: realm.id, span: toChartSpan(range) },
    kind: MESSAGE_KINDS.find((name) => name === query.get("kind")) ?? null,
  };
}

/** A channel and the number of messages that were sent to it. */
interface BusyChannel {
  readonly id: number;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly isArchived: boolean;
  readonly count: number;
}

/** The channels with most messages. */
interface BusiestChannels {
  /** Most messages first; channels that the administrator cannot see are missing. */
  readonly channels: readonly BusyChannel[];
  /** First day that is counted, in milliseconds since 1970 UTC, if it is after the start; otherwise null. */
  readonly since: number | null;
}

/** Number of channels whose records are read at once. */
const BATCH = 50;

/**
 * Reads the channels with most messages that the administrator can see. Where there are more sums than are read, the
 * newest days count, and only whole ones.
 */
export async function readBusiestChannels(
  request: AdminRequest,
  span: ChartSpan,
  limit: number,
): Promise<BusiestChannels> {
  const range = { from: dayOf(span.start), to: dayOf(span.end - 1) };
  const { ranked, since } = await rankChannels(request.chat, request.realm.id, range);
  const channels = await listVisible(request, ranked, limit);
  return { channels, since: since === null ? null : since * DAY_MS };
}

async function listVisible(
  { chat, realm, user, readPermissions }: AdminRequest,
  ranked: RankedChannels["ranked"],
  limit: number,
): Promise<readonly BusyChannel[]> {
  const permissions = await readPermissions();
  const subscribed = await listSubscribedChannelIds(chat, realm.id, user.id);
  const visible: BusyChannel[] = [];
  for (let at = 0; at < ranked.length && visible.length < limit; at += BATCH) {
    const batch = ranked.slice(at, at + BATCH);
    const keys = batch.map(([id]) => channelKeys.channel(realm.id, id));
    const entries = await readMany<ChannelRecord>(chat.store.kv, keys);
    for (const [index, { value: channel }] of entries.entries()) {
      if (channel === null) continue;
      const viewer = { channel, user, isSubscribed: subscribed.has(channel.id) };
      if (!hasMetadataAccess(permissions, viewer)) continue;
      const { id, name, is_archived } = channel;
      visible.push({
        id,
        name,
        kind: kindOf(channel),
        isArchived: is_archived,
        count: batch[index]?.[1] ?? 0,
      });
    }
  }
  return visible.slice(0, limit);
}

/** An organization and the time that its charts show. */
interface ActivityQuery {
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
