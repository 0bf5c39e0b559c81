import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { readActiveInvites } from "@/lib/chat/invites/store.ts";
import { isBot } from "@/lib/chat/users/model.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import { readBackupTime } from "@/lib/kv/backup_time.ts";
import type { Key } from "@/lib/kv/key.ts";
import { listPage } from "@/lib/kv/page.ts";
import { readTestMail } from "@/lib/mail/test_mail.ts";
import type { AdminRequest } from "../admin_request.ts";

/** One of the first steps of an organization, and whether it is done. */
export type SetupStep =
  | { readonly name: "address" | "people" | "channel"; readonly isDone: boolean }
  | MailStep
  | { readonly name: "backup"; readonly isDone: boolean; readonly madeAt: number | null };

/** State of email: delivered when the mail server accepted the last test email. */
export interface MailStep {
  readonly name: "mail";
  readonly isDone: boolean;
  readonly state: "missing" | "untested" | "failed" | "delivered";
  /** Reason of a failure as codes. */
  readonly failure: string | null;
}

/**
 * Checks the first steps of an organization. Those of the whole server are left out where an organization has
 * its own address.
 */
export async function listSteps(request: AdminRequest): Promise<readonly SetupStep[]> {
  const { realm, services: { config } } = request;
  const isRoot = realm.subdomain === "";
  const [mail, hasPeople, hasChannel, madeAt] = await Promise.all([
    checkMail(request),
    hasInvited(request),
    hasAny(request, channelKeys.channels(realm.id)),
    readBackupTime(request.services.store.kv),
  ]);
  const server: readonly SetupStep[] = [{ name: "address", isDone: config.baseUrl.startsWith("https:") }];
  return [
    mail,
    ...(isRoot ? server : []),
    { name: "people", isDone: hasPeople },
    { name: "channel", isDone: hasChannel },
    ...(isRoot ? [{ name: "backup" as const, isDone: madeAt !== null, madeAt }] : []),
  ];
}

async function checkMail({ chat, realm, services }: AdminRequest): Promise<MailStep> {
  const mail = { name: "mail" as const, isDone: false, failure: null };
  if (services.config.smtpUrl === null) return { ...mail, state: "missing" };
  const last = await readTestMail(chat.store, realm.id);
  if (last === null) return { ...mail, state: "untested" };
  if (last.failure !== null) return { ...mail, state: "failed", failure: last.failure };
  return { ...mail, isDone: true, state: "delivered" };
}

/** Whether someone was invited: an invitation is open, or there is a second person. */
async function hasInvited({ chat, realm, caller }: AdminRequest): Promise<boolean> {
  if ((await readActiveInvites(chat, caller)).length > 0) return true;
  const users = await listUsers(chat, realm.id);
  return users.filter((user) => user.is_active && !isBot(user)).length > 1;
}

async function hasAny({ chat }: AdminRequest, prefix: Key): Promise<boolean> {
  return (await listPage(chat.store.kv, prefix, { limit: 1, cursor: null })).entries.length > 0;
}
