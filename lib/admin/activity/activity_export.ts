import { GONE } from "@/lib/ui/texts.ts";
import { mapKeys } from "es-toolkit/object/mapKeys";
import type { Context } from "fresh";
import { kindOf } from "../pages/channels/channel_kind.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import { type AdminRequest, adminRequest } from "../admin_request.ts";
import { type ChartSpan, type TimeChart, toDate } from "../charts/time_chart.ts";
import { toCsvDownload } from "../csv.ts";
import {
  readActiveChart,
  readActivityRange,
  readBusiestChannels,
  readJoiningChart,
  readMessageChart,
  readStorageChart,
} from "./activity_data.ts";

/** Columns and rows of a file. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Maximum number of channels in a file. */
const EXPORTED_CHANNELS = 1000;

/** Files by their names in addresses. */
const FILES: Readonly<Record<string, (request: AdminRequest, span: ChartSpan) => Promise<Table>>> = {
  messages: async (request, span) => {
    const { chart, parts } = await readMessageChart(request, span);
    return toTable({ ...parts, total: chart });
  },
  active: async (request, span) => {
    if (request.realm.settings.presence_disabled) {
      throw new AppError("NOT_FOUND", request.t(GONE));
    }
    return toTable({ active_people: await readActiveChart(request, span) });
  },
  joining: async (request, span) => toTable((await readJoiningChart(request, span)).parts),
  files: async (request, span) => {
    const { parts } = await readStorageChart(request, span);
    return toTable(mapKeys(parts, (_, name) => `${name}_bytes`));
  },
  channels: async (request, span) => {
    const { channels } = await readBusiestChannels(request, span, EXPORTED_CHANNELS);
    return {
      columns: ["id", "name", "kind", "messages"],
      rows: channels.map(({ channel, count }) => [
        String(channel.id),
        channel.name,
        kindOf(channel),
        String(count),
      ]),
    };
  },
};

/**
 * Returns the figures of a chart as a CSV file.
 * @throws AppError BAD_REQUEST for another `what`.
 */
export async function exportActivity(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  const what = request.query.get("what") ?? "";
  const read = Object.hasOwn(FILES, what) ? FILES[what] : undefined;
  if (read === undefined) {
    throw new AppError(
      "BAD_REQUEST",
      `Invalid export. Use one of what=${Object.keys(FILES).join(", what=")}.`,
    );
  }
  const { span } = readActivityRange(request);
  const name = `${what}-${toDate(request.chat.clock.now())}.csv`;
  return toCsvDownload({ name, ...await read(request, span) });
}

/** Returns a table with a row for each point of charts with the same points. */
function toTable(charts: Readonly<Record<string, TimeChart>>): Table {
  const [first] = Object.values(charts);
  return {
    columns: ["date", ...Object.keys(charts)],
    rows: (first?.points ?? []).map(({ start }, at) => [
      toDate(start),
      ...Object.values(charts).map(({ points }) => String(points[at]?.count ?? 0)),
    ]),
  };
}
