import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { DAY_MS } from "@/lib/core/days.ts";
import { readTestMail } from "@/lib/mail/mail.ts";
import type { AdminRequest } from "../admin_request.ts";
import { countGivenUpMail } from "../organization/status_mail.ts";

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
