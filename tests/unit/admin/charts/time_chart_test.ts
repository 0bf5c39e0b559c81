import assert from "node:assert/strict";
import {
  type ChartSpan,
  type RangeChoices,
  readChartRange,
  toChartSpan,
  toTimeChart,
} from "@/lib/admin/charts/time_chart.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const CHOICES: RangeChoices = {
  periods: ["2", "7", "30", "90", "365", "all"],
  units: ["hour", "day", "week", "month"],
};
const NOW = Date.parse("2026-11-21T11:20:00Z");

const at = (date: string) => Date.parse(date);
const spanOf = (query: string, first?: number): ChartSpan =>
  toChartSpan(readChartRange(new URLSearchParams(query), CHOICES, NOW), first);
const daysOf = ({ start, end }: ChartSpan) => (end - start) / DAY;

Deno.test("a chart has a point for each day, and compares with the days before", () => {
  const span = spanOf("days=7");
  const sums = [
    { time: at("2026-11-21"), count: 5 },
    { time: at("2026-11-15"), count: 2 },
    { time: at("2026-11-14"), count: 3 },
    { time: at("2026-11-08"), count: 4 },
    { time: at("2026-11-07"), count: 100 },
  ];
  const chart = toTimeChart(sums, span);
  assert.deepEqual(chart.points.map(({ count }) => count), [2, 0, 0, 0, 0, 0, 5]);
  assert.deepEqual(chart.beforeCounts, [4, 0, 0, 0, 0, 0, 3]);
  assert.deepEqual([chart.total, chart.before, chart.days], [7, 7, 7]);
});

Deno.test("weeks begin on Mondays, and months on their first day", () => {
  const sums = ["2026-10-31", "2026-11-01", "2026-11-02", "2026-11-08", "2026-11-09"]
    .map((date) => ({ time: at(date), count: 1 }));
  const points = (query: string) =>
    toTimeChart(sums, spanOf(query)).points.filter(({ count }) => count > 0)
      .map(({ start, count }) => [new Date(start).toISOString().slice(0, 10), count]);
  assert.deepEqual(points("days=30&by=week"), [["2026-10-26", 2], ["2026-11-02", 2], ["2026-11-09", 1]]);
  assert.deepEqual(points("days=30&by=month"), [["2026-10-01", 1], ["2026-11-01", 4]]);
});

Deno.test("48 hours are shown by hour and compared with the 48 hours before", () => {
  const span = spanOf("days=2");
  assert.deepEqual([span.unit, span.end], ["hour", at("2026-11-21T12:00:00Z")]);
  const sums = [{ time: at("2026-11-21T11:00:00Z"), count: 2 }, {
    time: at("2026-11-19T11:00:00Z"),
    count: 3,
  }];
  const chart = toTimeChart(sums, span);
  assert.deepEqual([chart.points.length, chart.points.at(-1)?.count, chart.beforeCounts.at(-1)], [48, 2, 3]);
  const byDay = spanOf("days=2&by=day");
  assert.deepEqual([byDay.start, byDay.end], [at("2026-11-19"), at("2026-11-22")]);
  assert.equal(spanOf("days=all&by=hour").unit, "day");
  assert.equal(chart.points[1]?.start, (chart.points[0]?.start ?? 0) + HOUR);
});

Deno.test("an address chooses a period, days and a unit; anything else is the usual", () => {
  assert.equal(daysOf(spanOf("")), 30);
  assert.equal(daysOf(spanOf("days=12")), 30);
  assert.deepEqual([daysOf(spanOf("days=365")), spanOf("days=365").unit], [365, "week"]);
  assert.equal(spanOf("days=90").unit, "day");
  assert.equal(spanOf("days=90&by=hour").unit, "day");
  assert.equal(spanOf("days=90&by=year").unit, "day");
  const chosen = spanOf("from=2026-11-01&to=2026-11-03&by=week");
  assert.deepEqual(chosen, {
    start: at("2026-11-01"),
    end: at("2026-11-04"),
    unit: "week",
    isCompared: true,
  });
  assert.equal(spanOf("from=2026-11-20&to=2030-01-01").end, at("2026-11-22"));
  const all = spanOf("days=all", at("2024-01-01T10:00:00Z"));
  assert.deepEqual([all.start, all.unit, all.isCompared], [at("2024-01-01"), "month", false]);
});

Deno.test("days out of order, in the future, too many or no dates are refused", () => {
  const queries = [
    "from=2026-11-03&to=2026-11-01",
    "from=2026-11-22&to=2026-11-30",
    "from=2020-01-01&to=2026-11-01",
    "from=2026-02-31&to=2026-13-01",
    "from=yesterday&to=2026-11-01",
    "from=2026-11-01",
  ];
  for (const query of queries) {
    const range = readChartRange(new URLSearchParams(query), CHOICES, NOW);
    assert.deepEqual([range.isRefused, range.period], [true, "30"], query);
  }
});
