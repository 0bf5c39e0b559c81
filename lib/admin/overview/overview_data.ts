import { type ActiveCounts, listActiveCounts, readActiveCounts } from "@/lib/chat/people/activity/store.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { isChecklistHidden } from "@/lib/chat/organization/organizations/update_realm.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { type LiveFigures, readLiveFigures } from "@/lib/links/live_counts.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ShownChange, toShown } from "../audit/shown_change.ts";
import { listSteps, type SetupStep } from "./setup_steps.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { readTestMail } from "@/lib/mail/mail.ts";
import { countGivenUpMail } from "../organization/status_mail.ts";
import { listDaySums } from "@/lib/chat/organization/statistics/store.ts";
import { listStoreSizes, readStoreSize } from "@/lib/services/sotto_store.ts";
import { listDays } from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";

/** Figures of an organization with those of the last days, all from counters. */
export interface OverviewFigures {
  /** Null when the organization does not store presence. */
  readonly active: ActiveCounts & { readonly trend: Trend } | null;
  readonly messages: Trend;
  /** Null where the links belong to another organization. */
  readonly links: LiveFigures & { readonly trend: Trend } | null;
  /** In bytes; null means no quota. */
  readonly files: { readonly used: number; readonly quota: number | null; readonly trend: Trend };
  /** In bytes; null for a store without a file, and where the server belongs to another organization. */
  readonly store: { readonly size: number; readonly trend: Trend } | null;
}

/** Data of the overview. */
export interface OverviewData {
  /** Name of the organization. */
  readonly organization: string;
  /** First steps; null when they are done or hidden. */
  readonly steps: readonly SetupStep[] | null;
  /** Whether steps are left that an administrator hid. */
  readonly hasHiddenSteps: boolean;
  readonly figures: OverviewFigures;
  readonly problems: readonly Problem[];
  /** The latest changes by administrators, newest first, without details. */
  readonly changes: readonly ShownChange[];
  /** Recipient of a test email. */
  readonly address: string;
  readonly serverUrl: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Number of changes on the page. */
const SHOWN_CHANGES = 5;

/** Loads the overview. */
export async function loadOverview(request: AdminRequest): Promise<OverviewData> {
  const { chat, realm, user, services: { config } } = request;
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
    steps: isOpen && !isHidden ? steps : null,
    hasHiddenSteps: isOpen && isHidden,
    figures,
    problems,
    changes,
    address: user.delivery_email,
    serverUrl: config.baseUrl,
    now: chat.clock.now(),
  };
}

async function readFigures(request: AdminRequest): Promise<OverviewFigures> {
  const { realm } = request;
  const isRoot = realm.subdomain === "";
  const [active, messages, links, files, store] = await Promise.all([
    realm.settings.presence_disabled ? null : readActive(request),
    readMessageTrend(request),
    isRoot ? readLinks(request) : null,
    readFiles(request),
    isRoot ? readStoreTrend(request) : null,
  ]);
  return { active, messages, links, files, store };
}

async function readActive(request: AdminRequest): Promise<OverviewFigures["active"]> {
  const { chat, realm } = request;
  const [counts, trend] = await Promise.all([readActiveCounts(chat, realm.id), readActiveTrend(request)]);
  return { ...counts, trend };
}

async function readLinks(request: AdminRequest): Promise<OverviewFigures["links"]> {
  const { store: { kv }, clock } = request.services;
  const [figures, trend] = await Promise.all([readLiveFigures({ kv, clock }), readVisitTrend(request)]);
  return { ...figures, trend };
}

async function readFiles(request: AdminRequest): Promise<OverviewFigures["files"]> {
  const { chat, realm, services: { config } } = request;
  const used = await chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)) ?? 0;
  const quota = config.uploadQuotaMib === 0 ? null : config.uploadQuotaMib * MIB;
  return { used, quota, trend: await readFileTrend(request, used) };
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

/** Reads the people active on each day. */
async function readActiveTrend(request: AdminRequest): Promise<Trend> {
  const { first, today } = daysOf(request);
  const range = { unit: "day", start: first * DAY_MS, end: (today + 1) * DAY_MS } as const;
  const counts = await listActiveCounts(request.chat, request.realm.id, range);
  return toCounts(request, counts.map(({ time, count }) => [dayOf(time), count]));
}

/** Reads the messages sent on each day. */
async function readMessageTrend(request: AdminRequest): Promise<Trend> {
  const { first: from, today: to } = daysOf(request);
  const of = { realmId: request.realm.id, measure: "messages" } as const;
  const sums = new Map<number, number>();
  for await (const { day, count } of listDaySums(request.chat.store.kv, of, { from, to })) {
    sums.set(day, (sums.get(day) ?? 0) + count);
  }
  return toCounts(request, sums);
}

/** Reads the visits of the server's links on each day. */
async function readVisitTrend(request: AdminRequest): Promise<Trend> {
  const { first: from, today: to } = daysOf(request);
  const days = await listDays(request.chat.store.kv, linkKeys.visitDay(), { from, to });
  return toCounts(request, days.map(({ day, count }) => [day, count]));
}

/** Reads the size of the stored files at the end of each day, from their present size and the changes since. */
async function readFileTrend(request: AdminRequest, used: number): Promise<Trend> {
  const { first: from, today: to } = daysOf(request);
  const { chat: { store: { kv } }, realm } = request;
  const changes = new Map<number, number>();
  const add = async (measure: "bytes_added" | "bytes_removed", sign: 1 | -1) => {
    for await (const { day, count } of listDaySums(kv, { realmId: realm.id, measure }, { from, to })) {
      changes.set(day, (changes.get(day) ?? 0) + sign * count);
    }
  };
  await Promise.all([add("bytes_added", 1), add("bytes_removed", -1)]);
  let size = used;
  const sizes = new Map<number, number>();
  for (let day = to; day >= from; day--) {
    // A file may be removed while the sums are read.
    sizes.set(day, Math.max(0, size));
    size -= changes.get(day) ?? 0;
  }
  const created = dayOf(realm.date_created);
  return toTrend(request, (day) => day < created ? null : sizes.get(day) ?? 0);
}

/** Reads the size of the store's file, and at the end of each day; null for a store without a file. */
async function readStoreTrend(
  request: AdminRequest,
): Promise<{ readonly size: number; readonly trend: Trend } | null> {
  const { first: from, today: to } = daysOf(request);
  const { store } = request.chat;
  const [size, stored] = await Promise.all([readStoreSize(store), listStoreSizes(store, { from, to })]);
  if (size === null) return null;
  const sizes = new Map(stored.map(({ day, bytes }) => [day, bytes]));
  return { size, trend: toTrend(request, (day) => day === to ? size : sizes.get(day) ?? null) };
}

function daysOf({ chat }: AdminRequest): { readonly first: number; readonly today: number } {
  const today = dayOf(chat.clock.now());
  return { first: today - TREND_DAYS + 1, today };
}

/** Returns counted days as a trend: a day without a count has 0, unless it is before the organization. */
function toCounts(request: AdminRequest, counted: Iterable<readonly [day: number, count: number]>): Trend {
  const counts = new Map(counted);
  const created = dayOf(request.realm.date_created);
  return toTrend(request, (day) => counts.get(day) ?? (day < created ? null : 0));
}

function toTrend(request: AdminRequest, valueOf: (day: number) => number | null): Trend {
  const { first } = daysOf(request);
  return Array.from({ length: TREND_DAYS }, (_, at) => ({
    start: (first + at) * DAY_MS,
    value: valueOf(first + at),
  }));
}
