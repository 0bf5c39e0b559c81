import type { Context } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import { type AdminRequest, adminRequest } from "../admin_request.ts";
import type { TimeChart } from "../charts/time_chart.ts";
import { toCsvDownload } from "../csv.ts";
import {
  type ChartWithParts,
  readActiveChart,
  readActivityQuery,
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
const FILES: Readonly<Record<string, (request: AdminRequest) => Promise<Table>>> = {
  messages: async (request) => {
    const { chart, parts } = await readMessageChart(readActivityQuery(request).query, null);
    return toTable(chart, [...parts, { name: "total", chart }]);
  },
  active: async (request) => {
    if (request.realm.settings.presence_disabled) {
      throw new AppError("NOT_FOUND", request.messages.common.gone);
    }
    const chart = await readActiveChart(readActivityQuery(request).query);
    return toTable(chart, [{ name: "active_people", chart }]);
  },
  joining: async (request) => {
    const { chart, parts } = await readJoiningChart(readActivityQuery(request).query);
    return toTable(chart, parts);
  },
  files: async (request) => {
    const { chart, parts } = await readStorageChart(readActivityQuery(request).query);
    return toTable(chart, parts.map((part) => ({ ...part, name: `${part.name}_bytes` })));
  },
  channels: async (request) => {
    const { query: { span } } = readActivityQuery(request);
    const { channels } = await readBusiestChannels(request, span, EXPORTED_CHANNELS);
    return {
      columns: ["id", "name", "kind", "messages"],
      rows: channels.map(({ id, name, kind, count }) => [String(id), name, kind, String(count)]),
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
  return toCsvDownload({ name: `${what}-${toDate(request.chat.clock.now())}.csv`, ...await read(request) });
}

function toTable({ places }: TimeChart, parts: ChartWithParts["parts"]): Table {
  return {
    columns: ["date", ...parts.map(({ name }) => name)],
    rows: places.map(({ start }, at) => [
      toDate(start),
      ...parts.map(({ chart }) => String(chart.places[at]?.count ?? 0)),
    ]),
  };
}

function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, "2000-01-01".length);
}
