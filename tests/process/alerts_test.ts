import assert from "node:assert/strict";
import { parse } from "yaml";
import { z } from "zod";
import { PROJECT, TestServer } from "@/tests/helpers/server.ts";

/** Metric that Prometheus itself records of each server. */
const OWN_METRIC_OF_PROMETHEUS = "up";
/** Words of the query language that are not followed by a parenthesis. */
const KEYWORDS = [
  "and",
  "bool",
  "by",
  "group_left",
  "group_right",
  "ignoring",
  "offset",
  "on",
  "or",
  "unless",
];

const alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })).min(1) })).min(
    1,
  ),
});
const dashboard = z.object({
  panels: z.array(z.object({ id: z.number(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(
    1,
  ),
});

const readText = (path: string) => Deno.readTextFileSync(PROJECT + path);
const { groups } = alerts.parse(parse(readText("deploy/alerts.yaml")));
const rules = groups.flatMap((group) => group.rules);
const { panels } = dashboard.parse(JSON.parse(readText("deploy/dashboard.json")));
const queries = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** Returns the names of the metrics that a query reads. */
function metricsOf(query: string): string[] {
  const names = query
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, " ")
    .match(/(?<![\w.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g) ?? [];
  return names.filter((name) => !KEYWORDS.includes(name));
}

Deno.test("metricsOf() finds the metrics of a query and nothing else", () => {
  const query = 'sum by (instance, le) (rate(a_bucket{route!~"b|c"}[5m])) / on (d) e + 0.5 > 1e9 and f';
  assert.deepEqual(metricsOf(query), ["a_bucket", "e", "f"]);
});

Deno.test("every metric of the alerts and the dashboard exists and is measured", async () => {
  await using server = await TestServer.start();
  const used = new Set(queries.flatMap(metricsOf));
  used.delete(OWN_METRIC_OF_PROMETHEUS);
  assert.ok(used.size > 10, [...used].join());
  const readSamples = async () => {
    const text = await (await server.fetch("/metrics")).text();
    return [...text.matchAll(/^([a-z]\w*)(?:\{.*\})? (\S+)$/gm)].map(([, name = "", value]) => ({
      name,
      value: Number(value),
    }));
  };
  const samples = await server.waitFor(
    "requests are measured",
    readSamples,
    (found) => found.some(({ name }) => name === "sotto_request_duration_seconds_bucket"),
  );
  const known = new Set(samples.map(({ name }) => name));
  assert.deepEqual([...used].filter((name) => !known.has(name)), []);
  // The runtime reports 0 where it may not read the process's figures; an alert on such a metric never fires.
  const ofProcess = [...used].filter((name) => !name.startsWith("sotto_"));
  await server.waitFor("every metric of the process is measured", async () => {
    const measured = (await readSamples()).filter(({ value }) => value > 0).map(({ name }) => name);
    return ofProcess.filter((name) => !measured.includes(name));
  }, (missing) => missing.length === 0);
});

Deno.test("every alert is explained in the runbook", () => {
  const runbook = readText("docs/runbook.md");
  assert.deepEqual(rules.map(({ alert }) => alert).filter((alert) => !runbook.includes(`\`${alert}\``)), []);
});

Deno.test("alerts and panels are named once", () => {
  for (const names of [rules.map(({ alert }) => alert), panels.map(({ id }) => id)]) {
    assert.equal(new Set<string | number>(names).size, names.length);
  }
});
