import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { isBot } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { readBackupTime } from "@/lib/services/sotto_store.ts";
import type { Key } from "@/lib/store/key.ts";
import { listPage } from "@/lib/store/reads.ts";
import { readTestMail } from "@/lib/mail/mail.ts";
import { readStartedBy, toAdminCommand, toStartCommand } from "@/lib/services/operator_command.ts";
import type { AdminRequest } from "../admin_request.ts";

/** One of the first steps of an organization, and whether it is done. */
export type SetupStep =
  & {
    readonly isDone: boolean;
    /** Path of the document that explains the step. */
    readonly document: string;
    /** Command that the operator runs; null where the step needs none. */
    readonly command: string | null;
  }
  & (
    | { readonly name: "channel" | "people" | "connect" | "address" }
    | MailStep
    | { readonly name: "backup"; readonly madeAt: number | null }
  );

/** State of email: delivered when the mail server accepted the last test email. */
interface MailStep {
  readonly name: "mail";
  readonly state: "missing" | "untested" | "failed" | "delivered";
  /** Reason of a failure as codes. */
  readonly failure: string | null;
}

/**
 * Checks the first steps of an organization, in an order in which each can be done after those before it. Those
 * of the whole server are left out where an organization has its own address.
 */
export async function listSteps(request: AdminRequest): Promise<readonly SetupStep[]> {
  const { realm, user, chat } = request;
  const isRoot = realm.subdomain === "";
  const [mail, hasPeople, hasChannel, usedOn, server] = await Promise.all([
    checkMail(request),
    hasInvited(request),
    hasAny(request, channelKeys.channels(realm.id)),
    readKeyUseDay(chat, realm.id, user),
    isRoot ? listServerSteps(request) : [],
  ]);
  const guide = (anchor: string) => ({ document: `/docs/first-steps#${anchor}`, command: null });
  return [
    { name: "channel", isDone: hasChannel, ...guide("create-a-channel") },
    { name: "people", isDone: hasPeople, ...guide("invite-by-link") },
    { name: "connect", isDone: usedOn !== null, ...guide("connect-an-app") },
    mail,
    ...server,
  ];
}

async function listServerSteps({ services: { config, store } }: AdminRequest): Promise<readonly SetupStep[]> {
  const madeAt = await readBackupTime(store.kv);
  const startedBy = config.isDeployment ? null : readStartedBy();
  return [
    {
      name: "address",
      isDone: config.baseUrl.startsWith("https:"),
      document: "/docs/deploying#behind-a-reverse-proxy",
      command: startedBy && toStartCommand(startedBy, { BASE_URL: "https://sotto.example" }),
    },
    {
      name: "backup",
      isDone: madeAt !== null,
      document: "/docs/operating#backup-and-restore",
      command: startedBy && toAdminCommand(startedBy, "backup backup.kv"),
      madeAt,
    },
  ];
}

async function checkMail({ chat, realm, services: { config } }: AdminRequest): Promise<SetupStep> {
  const document = "/docs/configuration#mail";
  const mail = { name: "mail" as const, isDone: false, failure: null, command: null, document };
  if (config.smtpUrl === null) {
    const changed = { SMTP_URL: "smtp://user:password@mail.example:587" };
    return {
      ...mail,
      state: "missing",
      // Only the administrators of the root organization may see how the server was started.
      command: config.isDeployment || realm.subdomain !== ""
        ? null
        : toStartCommand(readStartedBy(), changed),
    };
  }
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
