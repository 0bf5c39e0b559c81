import { hideChecklist, isChecklistHidden } from "@/lib/chat/organizations/checklist.ts";
import { MIB, uploadKeys } from "@/lib/chat/files/model.ts";
import { readActiveInvites } from "@/lib/chat/invites/store.ts";
import { type ActiveCounts, readActiveCounts } from "@/lib/chat/activity/active_counts.ts";
import { type LiveFigures, readLiveFigures } from "@/lib/links/live_counts.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { sendTestMail } from "../organization/status_mail.ts";
import { listSteps, type SetupStep } from "./setup_steps.ts";
import { listServerProblems, type ServerProblem } from "./server_problems.ts";

/** Figures of an organization, all from counters. */
export interface OverviewFigures {
  /** Null when the organization does not store presence. */
  readonly active: ActiveCounts | null;
  readonly invitations: number;
  /** In bytes; null means no quota. */
  readonly storage: { readonly used: number; readonly quota: number | null };
  /** Null where the links belong to another organization. */
  readonly links: LiveFigures | null;
}

/** Data of the overview: first steps until they are done or hidden, then figures and problems. */
export interface OverviewData {
  /** Null when they are done or hidden. */
  readonly steps: readonly SetupStep[] | null;
  /** Whether steps are left that an administrator hid. */
  readonly hasHiddenSteps: boolean;
  readonly figures: OverviewFigures;
  readonly problems: readonly ServerProblem[];
  /** Recipient of a test email. */
  readonly address: string;
  readonly serverUrl: string;
}

/** The first administration page. */
export const overviewPage: AdminPageSpec<OverviewData> = {
  load: loadOverview,
  actions: {
    test_mail: { run: (request) => sendTestMail(request, "/admin") },
    hide_steps: { run: (request) => setHidden(request, true) },
    show_steps: { run: (request) => setHidden(request, false) },
  },
};

async function loadOverview(request: AdminRequest): Promise<OverviewData> {
  const { chat, realm, user, services: { config } } = request;
  const [steps, isHidden, figures, problems] = await Promise.all([
    listSteps(request),
    isChecklistHidden(chat, realm.id),
    readFigures(request),
    listServerProblems(request),
  ]);
  const isOpen = steps.some(({ isDone }) => !isDone);
  return {
    steps: isOpen && !isHidden ? steps : null,
    hasHiddenSteps: isOpen && isHidden,
    figures,
    problems,
    address: user.delivery_email,
    serverUrl: config.baseUrl,
  };
}

async function readFigures({ chat, caller, realm, services }: AdminRequest): Promise<OverviewFigures> {
  const { config, clock, store: { kv } } = services;
  const [active, invites, used, links] = await Promise.all([
    realm.settings.presence_disabled ? null : readActiveCounts(chat, realm.id),
    readActiveInvites(chat, caller),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
    realm.subdomain === "" ? readLiveFigures({ kv, clock }) : null,
  ]);
  const quota = config.uploadQuotaMib === 0 ? null : config.uploadQuotaMib * MIB;
  return { active, invitations: invites.length, storage: { used: used ?? 0, quota }, links };
}

async function setHidden({ chat, caller }: AdminRequest, isHidden: boolean): Promise<Done> {
  await hideChecklist(chat, caller, isHidden);
  return { flash: "", to: "/admin" };
}
