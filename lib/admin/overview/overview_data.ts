import { readLiveFigures, readSums } from "@/lib/links/stats.ts";
import { listActiveCounts, readActiveCounts } from "@/lib/chat/people/activity/store.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { isChecklistHidden } from "@/lib/chat/organization/organizations/update_realm.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ShownChange, toShown } from "../audit/shown_change.ts";
import { listSteps } from "./setup_steps.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { readTestMail } from "@/lib/mail/mail.ts";
import { countGivenUpMail } from "../organization/status_mail.ts";
import { listDaySums } from "@/lib/chat/organization/statistics/store.ts";
import { listStoreSizes, readStoreSize } from "@/lib/services/sotto_store.ts";
import { linkKeys } from "@/lib/links/store.ts";

/** A figure of the organization with its last days. */
export interface Figure {
  readonly name: "active" | "messages" | "visits" | "files" | "store";
  /** Number of today, or size in bytes. */
  readonly value: number;
  /** Number of the week or of all days shown, or quota in bytes; null for none. */
  readonly note: number | null;
  readonly trend: Trend;
}

/** Data of the overview. */
export type OverviewData = Awaited<ReturnType<typeof loadOverview>>;

/** Number of changes on the page. */
const SHOWN_CHANGES = 5;

/** Loads the overview. */
export async function loadOverview(request: AdminRequest) {
  const { chat, realm } = request;
  const [steps, isHidden, figures, problems, changes] = await Promise.all([
    listSteps(request),
    isChecklistHidden(chat, realm.id),
    readFigures(request),
    listProblems(request),
    listLatestChanges(request),
  ]);
  const isOpen = steps.some(({ isDone }) => !isDone);
  return {
    organization: realm.name,
    /** First steps; null when they are done or hidden. */
    steps: isOpen && !isHidden ? steps : null,
    /** Whether steps are left that an administrator hid. */
    hasHiddenSteps: isOpen && isHidden,
    figures,
    problems,
    /** The latest changes by administrators, newest first, without details. */
    changes,
    /** Milliseconds since 1970 UTC. */
    now: chat.clock.now(),
  };
}

/** Reads the figures, all from counters; those of the server only for its own organization. */
async function readFigures(request: AdminRequest): Promise<readonly Figure[]> {
  const { realm } = request;
  const isRoot = realm.subdomain === "";
  const figures = await Promise.all([
    realm.settings.presence_disabled ? null : readActive(request),
    readMessages(request),
    isRoot ? readVisits(request) : null,
    readFiles(request),
    isRoot ? readStoredSize(request) : null,
  ]);
  return figures.filter((figure) => figure !== null);
}

async function readActive(request: AdminRequest): Promise<Figure> {
  const { chat, realm } = request;
  const { from, to } = daysOf(request);
  const range = { unit: "day", start: from * DAY_MS, end: (to + 1) * DAY_MS } as const;
  const [{ today, week }, counts] = await Promise.all([
    readActiveCounts(chat, realm.id),
    listActiveCounts(chat, realm.id, range),
  ]);
  const trend = toCounts(request, counts.map(({ time, count }) => [dayOf(time), count]));
  return { name: "active", value: today, note: week, trend };
}

async function readMessages(request: AdminRequest): Promise<Figure> {
  const trend = toCounts(request, await readDaySums(request, "messages"));
  return { name: "messages", value: trend.at(-1)?.value ?? 0, note: sumOf(trend), trend };
}

async function readVisits(request: AdminRequest): Promise<Figure> {
  const { store: { kv }, clock } = request.services;
  const { from, to } = daysOf(request);
  const [{ today }, days] = await Promise.all([
    readLiveFigures(kv, clock.now()),
    readSums(kv, linkKeys.visitDay(), { from, to: to + 1 }),
  ]);
  const trend = toCounts(request, days);
  return { name: "visits", value: today, note: sumOf(trend), trend };
}

/** Reads the size of the files, and at the end of each day, from the present one and the changes since. */
async function readFiles(request: AdminRequest): Promise<Figure> {
  const { chat, realm, services: { config } } = request;
  const used = await chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)) ?? 0;
  const [added, removed] = await Promise.all([
    readDaySums(request, "bytes_added"),
    readDaySums(request, "bytes_removed"),
  ]);
  const { from, to } = daysOf(request);
  const sizes = new Map<number, number>();
  let size = used;
  for (let day = to; day >= from; day--) {
    // A file may be removed while the sums are read.
    sizes.set(day, Math.max(0, size));
    size += (removed.get(day) ?? 0) - (added.get(day) ?? 0);
  }
  const created = dayOf(realm.date_created);
  return {
    name: "files",
    value: used,
    note: config.uploadQuotaMib === 0 ? null : config.uploadQuotaMib * MIB,
    trend: toTrend(request, (day) => day < created ? null : sizes.get(day) ?? 0),
  };
}

/** Reads the size of the store's file, and at the end of each day; null for a store without a file. */
async function readStoredSize(request: AdminRequest): Promise<Figure | null> {
  const { store } = request.chat;
  const { from, to } = daysOf(request);
  const [size, stored] = await Promise.all([readStoreSize(store), listStoreSizes(store, { from, to })]);
  if (size === null) return null;
  const sizes = new Map(stored.map(({ day, bytes }) => [day, bytes]));
  const trend = toTrend(request, (day) => day === to ? size : sizes.get(day) ?? null);
  return { name: "store", value: size, note: null, trend };
}

async function listLatestChanges(request: AdminRequest): Promise<readonly ShownChange[]> {
  const { chat, realm } = request;
  const [{ changes }, directory] = await Promise.all([
    listAuditRecords(chat, realm, { limit: SHOWN_CHANGES, cursor: null }),
    readDirectory(chat, realm.id),
  ]);
  return changes.map((change) => toShown({ request, directory }, { ...change, sentences: [] }));
}

/** Something that an administrator should act on. */
export interface Problem {
  readonly name:
    | "noMail"
    | "testFailed"
    | "mailGivenUp"
    | "fullStorage"
    | "expiring"
    | "noLimits"
    | "plain";
  /** Page about it. */
  readonly path: string;
  /** Number of emails or invitations, or percentage of the storage; emails up to the limit of countGivenUpMail. */
  readonly count?: number;
}

/** Percentage of the storage limit from which it counts as nearly full. */
const NEARLY_FULL = 90;
const STATUS = "/admin/organization/status";

/** Lists the problems of the server and the invitations that expire within a day, most severe first. */
export async function listProblems(request: AdminRequest): Promise<readonly Problem[]> {
  const { chat, realm, services: { config } } = request;
  const [emails, test, used, expiring] = await Promise.all([
    countGivenUpMail(request),
    readTestMail(chat.store, realm.id),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
    countExpiring(request),
  ]);
  const hasMail = config.smtpUrl !== null;
  const quota = config.uploadQuotaMib * MIB;
  const share = quota === 0 ? 0 : Math.floor((used ?? 0) / quota * 100);
  const problems: readonly (Problem & { readonly isMet: boolean })[] = [
    { name: "noMail", path: `${STATUS}#mail`, isMet: !hasMail },
    { name: "testFailed", path: `${STATUS}#mail`, isMet: hasMail && typeof test?.failure === "string" },
    { name: "mailGivenUp", path: `${STATUS}#mail`, isMet: emails > 0, count: emails },
    { name: "fullStorage", path: `${STATUS}#uploads`, isMet: share >= NEARLY_FULL, count: share },
    { name: "expiring", path: "/admin/invitations?expiry=soon", isMet: expiring > 0, count: expiring },
    { name: "noLimits", path: `${STATUS}#limits`, isMet: config.rateLimits === null },
    { name: "plain", path: `${STATUS}#address`, isMet: config.baseUrl.startsWith("http:") },
  ];
  return problems.filter(({ isMet }) => isMet).map(({ isMet: _, ...problem }) => problem);
}

/** Counts the invitations that expire within a day, which their list marks. */
async function countExpiring({ chat, caller }: AdminRequest): Promise<number> {
  const soon = chat.clock.now() + DAY_MS;
  const invites = await readActiveInvites(chat, caller);
  return invites.filter(({ offer: { expires_at } }) => expires_at !== null && expires_at <= soon).length;
}

/** A day and its figure; null where none is known. */
interface TrendDay {
  /** Start of the day in milliseconds since 1970 UTC. */
  readonly start: number;
  readonly value: number | null;
}

/** The days up to today, oldest first. */
export type Trend = readonly TrendDay[];

/** Number of days of a trend. */
const TREND_DAYS = 30;

/** Reads the sums of a measure by day. */
async function readDaySums(
  request: AdminRequest,
  measure: "messages" | "bytes_added" | "bytes_removed",
): Promise<ReadonlyMap<number, number>> {
  const { chat, realm } = request;
  const sums = new Map<number, number>();
  const listing = listDaySums(chat.store.kv, { realmId: realm.id, measure }, daysOf(request));
  for await (const { day, count } of listing) sums.set(day, (sums.get(day) ?? 0) + count);
  return sums;
}

function daysOf({ chat }: AdminRequest): { readonly from: number; readonly to: number } {
  const to = dayOf(chat.clock.now());
  return { from: to - TREND_DAYS + 1, to };
}

/** Returns counted days as a trend: a day without a count has 0, unless it is before the organization. */
function toCounts(request: AdminRequest, counted: Iterable<readonly [day: number, count: number]>): Trend {
  const counts = new Map(counted);
  const created = dayOf(request.realm.date_created);
  return toTrend(request, (day) => counts.get(day) ?? (day < created ? null : 0));
}

function toTrend(request: AdminRequest, valueOf: (day: number) => number | null): Trend {
  const { from } = daysOf(request);
  return Array.from({ length: TREND_DAYS }, (_, at) => ({
    start: (from + at) * DAY_MS,
    value: valueOf(from + at),
  }));
}

function sumOf(trend: Trend): number {
  return trend.reduce((sum, { value }) => sum + (value ?? 0), 0);
}
