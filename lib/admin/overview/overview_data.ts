import { readSums } from "@/lib/links/stats.ts";
import { readActiveCounts } from "@/lib/chat/people/activity/store.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { isChecklistHidden } from "@/lib/chat/organization/organizations/update_realm.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { readActiveChart, readMessageChart, readStorageChart } from "../activity/activity_data.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ShownChange, toShown } from "../audit/shown_change.ts";
import { type Noun, NOUNS } from "../charts/chart_labels.ts";
import { type ChartSpan, type TimeChart, toTimeChart } from "../charts/time_chart.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import { MAIL_GIVEN_UP, NO_LIMITS } from "@/lib/ui/texts.ts";
import { listSteps } from "./setup_steps.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { readTestMail } from "@/lib/mail/mail.ts";
import { countGivenUpMail } from "../organization/status_mail.ts";
import { listStoreSizes, readStoreSize } from "@/lib/services/sotto_store.ts";
import { linkKeys } from "@/lib/links/store.ts";

/** A figure of the organization with its last days. */
export interface Figure {
  readonly title: string;
  /** Page with the details. */
  readonly path: string;
  /** Number of today, or size in bytes. */
  readonly value: number;
  /** Noun of the counts; null for a size. */
  readonly noun: Noun | null;
  /** Text about the week, all days shown or the quota; empty for none. */
  readonly note: string;
  readonly trend: Trend;
}

/** Data of the overview. */
export type OverviewData = Awaited<ReturnType<typeof loadOverview>>;

const STATUS = "/admin/organization/status";
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
  const [{ today, week }, chart] = await Promise.all([
    readActiveCounts(request.chat, request.realm.id),
    readActiveChart(request, spanOf(request)),
  ]);
  const { t } = request;
  return {
    title: t("Users active today"),
    path: "/admin/activity#active",
    value: today,
    noun: NOUNS.active,
    note: t("{count} this week", { count: week }),
    trend: toTrend(request, chart),
  };
}

async function readMessages(request: AdminRequest): Promise<Figure> {
  const { chart } = await readMessageChart(request, spanOf(request));
  const { t } = request;
  return {
    title: t("Messages today"),
    path: "/admin/activity#messages",
    noun: NOUNS.messages,
    ...toDayFigure(request, chart),
  };
}

async function readVisits(request: AdminRequest): Promise<Figure> {
  const span = spanOf(request);
  const period = { from: dayOf(span.start), to: dayOf(span.end) };
  const days = await readSums(request.services.store.kv, linkKeys.visitDay(), period);
  const sums = Array.from(days, ([day, count]) => ({ time: day * DAY_MS, count }));
  const { t } = request;
  return {
    title: t("Visits today"),
    path: "/admin/stats#chart",
    noun: NOUNS.visits,
    ...toDayFigure(request, toTimeChart(sums, span)),
  };
}

/** Reads the size of the files, and at the end of each day, from the present one and the changes since. */
async function readFiles(request: AdminRequest): Promise<Figure> {
  const { chat, realm, services: { config }, t } = request;
  const used = await chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)) ?? 0;
  const { chart, parts: { removed } } = await readStorageChart(request, spanOf(request));
  let size = used;
  const points = chart.points.toReversed().map(({ start, count }, at) => {
    // A file may be removed while the sums are read.
    const point = { start, count: Math.max(0, size) };
    size += (removed.points.at(-1 - at)?.count ?? 0) - count;
    return point;
  });
  const quota = formatBytes(t, config.uploadQuotaMib * MIB);
  return {
    title: t("Uploaded files"),
    path: "/admin/activity#files",
    value: used,
    noun: null,
    note: config.uploadQuotaMib === 0 ? "" : t("of {size}", { size: quota }),
    trend: toTrend(request, { points: points.toReversed() }),
  };
}

/** Reads the size of the store's file, and at the end of each day; null for a store without a file. */
async function readStoredSize(request: AdminRequest): Promise<Figure | null> {
  const { store } = request.chat;
  const span = spanOf(request);
  const [from, to] = [dayOf(span.start), dayOf(span.end) - 1];
  const [size, stored] = await Promise.all([readStoreSize(store), listStoreSizes(store, { from, to })]);
  if (size === null) return null;
  const sizes = new Map([...stored.map(({ day, bytes }) => [day, bytes] as const), [to, size]]);
  const trend = toTimeChart([], span).points.map(({ start }) => ({
    start,
    value: sizes.get(dayOf(start)) ?? null,
  }));
  const title = request.t("Store on disk");
  return { title, path: STATUS, value: size, noun: null, note: "", trend };
}

async function listLatestChanges(request: AdminRequest): Promise<readonly ShownChange[]> {
  const { chat, realm } = request;
  const [{ changes }, directory] = await Promise.all([
    listAuditRecords(chat, realm, { limit: SHOWN_CHANGES, cursor: null }),
    readDirectory(chat, realm.id),
  ]);
  return changes.map((change) => toShown({ request, directory }, { ...change, sentences: [] }));
}

/** Percentage of the storage limit from which it counts as nearly full. */
const NEARLY_FULL = 90;
const EXPIRING = {
  one: "{count} invitation expires within a day.",
  other: "{count} invitations expire within a day.",
};

/**
 * Lists what an administrator should act on, with the page about it: problems of the server and invitations that expire
 * within a day, most severe first.
 */
async function listProblems(request: AdminRequest) {
  const { chat, realm, services: { config }, t } = request;
  const [emails, test, used, expiring] = await Promise.all([
    countGivenUpMail(request),
    readTestMail(chat.store, realm.id),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
    countExpiring(request),
  ]);
  const hasMail = config.smtpUrl !== null;
  const quota = config.uploadQuotaMib * MIB;
  const share = quota === 0 ? 0 : Math.floor((used ?? 0) / quota * 100);
  const isTestRefused = hasMail && typeof test?.failure === "string";
  const isPlain = config.baseUrl.startsWith("http:");
  const problems: readonly (readonly [isMet: boolean, path: string, text: string])[] = [
    [!hasMail, `${STATUS}#mail`, t("Email is not configured, so invitations are not delivered.")],
    [isTestRefused, `${STATUS}#mail`, t("The mail server did not accept the last test email.")],
    [emails > 0, `${STATUS}#mail`, t(MAIL_GIVEN_UP, { count: emails })],
    [share >= NEARLY_FULL, `${STATUS}#uploads`, t("Uploads fill {share}% of their storage.", { share })],
    [expiring > 0, "/admin/invitations?expiry=soon", t(EXPIRING, { count: expiring })],
    [config.rateLimits === null, `${STATUS}#limits`, t(NO_LIMITS)],
    [isPlain, `${STATUS}#address`, t("The address does not use HTTPS, so traffic is not encrypted.")],
  ];
  return problems.flatMap(([isMet, path, text]) => isMet ? [{ path, text }] : []);
}

/** Counts the invitations that expire within a day, which their list marks. */
async function countExpiring({ chat, caller }: AdminRequest): Promise<number> {
  const soon = chat.clock.now() + DAY_MS;
  const invites = await readActiveInvites(chat, caller);
  return invites.filter(({ offer: { expires_at } }) => expires_at !== null && expires_at <= soon).length;
}

/** Days up to today, oldest first, with the start of each in milliseconds since 1970 UTC; null where none is known. */
type Trend = readonly { readonly start: number; readonly value: number | null }[];

/** Number of days of a trend. */
const TREND_DAYS = 30;

function spanOf({ chat }: AdminRequest): ChartSpan {
  const end = (dayOf(chat.clock.now()) + 1) * DAY_MS;
  return { start: end - TREND_DAYS * DAY_MS, end, unit: "day", isCompared: false };
}

/** Returns the days of a chart; those without a count before the organization are not known. */
function toTrend({ realm }: AdminRequest, { points }: Pick<TimeChart, "points">): Trend {
  const created = dayOf(realm.date_created);
  return points.map(({ start, count }) => ({
    start,
    value: count === 0 && dayOf(start) < created ? null : count,
  }));
}

/** Returns the number of today, with the sum of all days. */
function toDayFigure(request: AdminRequest, chart: TimeChart) {
  return {
    value: chart.points.at(-1)?.count ?? 0,
    note: request.t("{count} in 30 days", { count: chart.total }),
    trend: toTrend(request, chart),
  };
}
