import { type ActiveCounts, readActiveCounts } from "@/lib/chat/people/activity/store.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { isChecklistHidden } from "@/lib/chat/organization/organizations/update_realm.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { type LiveFigures, readLiveFigures } from "@/lib/links/live_counts.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type ShownChange, toShown } from "../audit/shown_change.ts";
import { listSteps, type SetupStep } from "./setup_steps.ts";
import { listProblems, type Problem } from "./server_problems.ts";
import {
  readActiveTrend,
  readFileTrend,
  readMessageTrend,
  readStoreTrend,
  readVisitTrend,
  type Trend,
} from "./trends.ts";

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
  return changes.map((change) => toShown({ request, directory }, { ...change, sentences: [] }, false));
}
