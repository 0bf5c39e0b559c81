import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { LinksApp } from "@/lib/links/app.ts";
import type { Log, RequestLine } from "./log.ts";
import type { RateLimiter } from "./rate_limit.ts";

/** Upper bounds of the latency buckets, in seconds. */
const LATENCY_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Sources that the gauges read when they are collected. */
interface MetricSources {
  readonly links: LinksApp;
  readonly log: Log;
  readonly limiter: RateLimiter | null;
  readonly inFlight: () => number;
  readonly waiting: () => number;
  readonly pendingMail: () => Promise<number>;
  readonly overdue: () => Promise<number>;
}

/** Creates the metrics of a server, in the Prometheus text format. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry();
  const registers = [registry];
  const latency = new Histogram({
    name: "sotto_request_duration_seconds",
    help: "Response time by method, route and status",
    labelNames: ["method", "route", "status"],
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const overloads = new Counter({
    name: "sotto_overload_total",
    help: "Requests refused because of the load",
    registers,
  });
  const unhandledErrors = new Counter({
    name: "sotto_unhandled_errors_total",
    help: "Errors that nothing handled",
    registers,
  });
  registerGauges(sources, registers);
  return {
    /** Counts an answered request. */
    observe: ({ method, route, status, ms }: RequestLine) =>
      latency.observe({ method, route, status }, ms / 1000),
    /** Counts a request that was refused because of the load. */
    overload: () => overloads.inc(),
    /** Counts an error that nothing handled. */
    unhandledError: () => unhandledErrors.inc(),
    contentType: registry.contentType,
    async text(): Promise<string> {
      if (registry.getSingleMetric("process_cpu_seconds_total") === undefined) {
        // Registered on the first request for metrics, because it samples the event loop's delay from then
        // on.
        collectDefaultMetrics({ register: registry });
      }
      return await registry.metrics();
    },
  };
}

function registerGauges(sources: MetricSources, registers: Registry[]): void {
  const { links, log, limiter, inFlight, waiting, pendingMail, overdue } = sources;
  const { tally } = links.store;
  const readings: [name: string, help: string, read: () => number | Promise<number>][] = [
    ["sotto_requests_in_flight", "Requests in flight", inFlight],
    ["sotto_requests_waiting", "Requests waiting for events", waiting],
    [
      "sotto_store_conflicts_total",
      "Transactions retried after a conflict",
      () => tally.conflicts,
    ],
    [
      "sotto_store_locked_total",
      "Commits that waited for the lock of another process",
      () => tally.locked,
    ],
    ["sotto_store_failures_total", "Commits that failed", () => tally.failures],
    ["sotto_store_writable", "1 if the last commit succeeded, else 0", () => Number(tally.writable)],
    ["sotto_visit_queue_depth", "Visits waiting for their commit", () => links.visits.depth],
    ["sotto_link_queue_depth", "New links waiting for their commit", () => links.creation.depth],
    ["sotto_mail_queue_depth", "Mails waiting to be sent, counted up to 1,000", pendingMail],
    [
      "sotto_scheduled_due",
      "Scheduled messages and reminders that are due and not sent, each counted up to 1,000",
      overdue,
    ],
    ["sotto_rate_limit_hits_total", "Requests refused because of a rate limit", () => limiter?.hits ?? 0],
    ["sotto_log_written_total", "Lines of the log that were written", () => log.counts().written],
    ["sotto_log_queue_depth", "Lines of the log waiting to be written", () => log.counts().waiting],
    [
      "sotto_log_dropped_total",
      "Lines of the log lost because they could not be written, or not fast enough",
      () => log.counts().dropped,
    ],
  ];
  for (const [name, help, read] of readings) {
    const collect = async function (this: Gauge) {
      this.set(await read());
    };
    new Gauge({ name, help, registers, collect });
  }
}
