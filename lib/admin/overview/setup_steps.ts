import { readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { isBot } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { readBackupTime } from "@/lib/services/sotto_store.ts";
import { listPage } from "@/lib/store/reads.ts";
import { readTestMail } from "@/lib/mail/mail.ts";
import { readStartedBy, toAdminCommand, toStartCommand } from "@/lib/services/operator_command.ts";
import type { AdminRequest } from "../admin_request.ts";

/** One of the first steps of an organization. */
export interface SetupStep {
  readonly name: "channel" | "people" | "connect" | "mail" | "address" | "backup";
  readonly isDone: boolean;
  /** Purpose of the step, or its result. */
  readonly text: string;
  /** Path of the document that explains the step. */
  readonly document: string;
  /** Command that the operator runs; null where the step needs none. */
  readonly command: string | null;
  /** Page on which the step is done, or the form that sends a test email; null for neither. */
  readonly action: { readonly name: string; readonly path: string } | "test_mail" | null;
}

/**
 * Checks the first steps of an organization, in an order in which each can be done after those before it. Those
 * of the whole server are left out where an organization has its own address.
 */
export async function listSteps(request: AdminRequest): Promise<readonly SetupStep[]> {
  const { realm, user, chat, messages: { overview: { steps: text } } } = request;
  const isRoot = realm.subdomain === "";
  const [mail, hasPeople, channels, usedOn, server] = await Promise.all([
    checkMail(request),
    hasInvited(request),
    listPage(chat.store.kv, channelKeys.channels(realm.id), { limit: 1, cursor: null }),
    readKeyUseDay(chat, realm.id, user),
    isRoot ? listServerSteps(request) : [],
  ]);
  const guide = (name: "channel" | "people" | "connect", isDone: boolean, anchor: string, path: string) => ({
    ...{ name, isDone, command: null },
    text: isDone ? text[name].done : text[name].open,
    document: `/docs/first-steps#${anchor}`,
    // Another app can be connected at any time.
    action: isDone && name !== "connect" ? null : { name: text[name].action, path },
  });
  return [
    guide("channel", channels.entries.length > 0, "create-a-channel", "/admin/channels/new"),
    guide("people", hasPeople, "invite-by-link", "/admin/invitations?kind=link"),
    guide("connect", usedOn !== null, "connect-an-app", "/connect"),
    mail,
    ...server,
  ];
}

async function listServerSteps(request: AdminRequest): Promise<readonly SetupStep[]> {
  const { services: { config, store }, formatter, t, messages: { overview: { steps: text } } } = request;
  const madeAt = await readBackupTime(store.kv);
  const startedBy = config.isDeployment ? null : readStartedBy();
  const isSecure = config.baseUrl.startsWith("https:");
  return [
    {
      name: "address",
      isDone: isSecure,
      text: t(isSecure ? text.address.done : text.address.open, { url: config.baseUrl }),
      document: "/docs/deploying#behind-a-reverse-proxy",
      command: startedBy && toStartCommand(startedBy, { BASE_URL: "https://sotto.example" }),
      action: null,
    },
    {
      name: "backup",
      isDone: madeAt !== null,
      text: madeAt === null ? text.backup.open : t(text.backup.done, { moment: formatter.moment(madeAt) }),
      document: "/docs/operating#backup-and-restore",
      command: startedBy && toAdminCommand(startedBy, "backup backup.kv"),
      action: null,
    },
  ];
}

/** Email is delivered when the mail server accepted the last test email. */
async function checkMail(request: AdminRequest): Promise<SetupStep> {
  const { chat, realm, user, services: { config }, t, messages: { overview: { steps: { mail: text } } } } =
    request;
  const step = { name: "mail", isDone: false, command: null, document: "/docs/configuration#mail" } as const;
  if (config.smtpUrl === null) {
    // Only the administrators of the root organization may see how the server was started.
    const command = config.isDeployment || realm.subdomain !== ""
      ? null
      : toStartCommand(readStartedBy(), { SMTP_URL: "smtp://user:password@mail.example:587" });
    return { ...step, text: text.missing, command, action: null };
  }
  const last = await readTestMail(chat.store, realm.id);
  const failure = last?.failure ?? null;
  const phrase = last === null ? text.untested : failure === null ? text.delivered : text.failed;
  return {
    ...step,
    isDone: last !== null && failure === null,
    text: t(phrase, { address: user.delivery_email, reason: failure ?? "" }),
    action: "test_mail",
  };
}

/** Whether someone was invited: an invitation is open, or there is a second person. */
async function hasInvited({ chat, realm, caller }: AdminRequest): Promise<boolean> {
  if ((await readActiveInvites(chat, caller)).length > 0) return true;
  const users = await listUsers(chat, realm.id);
  return users.filter((user) => user.is_active && !isBot(user)).length > 1;
}
