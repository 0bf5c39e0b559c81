import { MIB, uploadKeys } from "@/lib/chat/files/model.ts";
import { readTestMail } from "@/lib/mail/test_mail.ts";
import type { AdminRequest } from "../admin_request.ts";
import { countGivenUpMail } from "../organization/status_mail.ts";

/** Something about the server that an administrator should act on, and its section of the status page. */
export interface ServerProblem {
  readonly name: "noMail" | "testFailed" | "mailGivenUp" | "noLimits" | "plain" | "fullStorage";
  readonly section: "mail" | "limits" | "address" | "uploads";
  /** Number of emails; up to the limit of countGivenUpMail. */
  readonly count?: number;
}

/** Share of the storage limit from which it counts as nearly full. */
const NEARLY_FULL = 0.9;

/** Lists the problems of the server, most severe first. */
export async function listServerProblems(request: AdminRequest): Promise<readonly ServerProblem[]> {
  const { chat, realm, services: { config } } = request;
  const [count, test, used] = await Promise.all([
    countGivenUpMail(request),
    readTestMail(chat.store, realm.id),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
  ]);
  const hasMail = config.smtpUrl !== null;
  const quota = config.uploadQuotaMib * MIB;
  const problems: readonly (ServerProblem & { readonly isMet: boolean })[] = [
    { name: "noMail", section: "mail", isMet: !hasMail },
    { name: "testFailed", section: "mail", isMet: hasMail && typeof test?.failure === "string" },
    { name: "mailGivenUp", section: "mail", isMet: count > 0, count },
    { name: "fullStorage", section: "uploads", isMet: quota > 0 && (used ?? 0) >= quota * NEARLY_FULL },
    { name: "noLimits", section: "limits", isMet: config.rateLimits === null },
    { name: "plain", section: "address", isMet: config.baseUrl.startsWith("http:") },
  ];
  return problems.filter(({ isMet }) => isMet).map(({ isMet: _, ...problem }) => problem);
}
