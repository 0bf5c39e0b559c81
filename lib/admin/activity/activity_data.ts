import {
  type FileKind,
  MESSAGE_KINDS,
  type MessageKind,
  readStorage,
} from "@/lib/chat/organization/statistics/store.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ChartRange, type RangeChoices, readChartRange, toChartSpan } from "../charts/chart_range.ts";
import type { TimeChart } from "../charts/time_chart.ts";
import {
  type ActivityQuery,
  type ChartWithParts,
  readActiveChart,
  readJoiningChart,
  readMessageChart,
  readStorageChart,
} from "./activity_charts.ts";
import { type BusiestChannels, readBusiestChannels } from "./busiest_channels.ts";

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
