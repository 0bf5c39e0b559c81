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

/** Steps that a page of the administration guides through. */
const GUIDED = {
  channel: {
    title: "Create the first channel",
    open: "Messages are sent to channels. Everyone who joins is added to this one.",
    done: "There is a channel.",
    anchor: "create-a-channel",
    action: "Create channel",
    path: "/admin/channels/new",
  },
  people: {
    title: "Invite people by link",
    open: "Share a link or its QR code, and see people arrive.",
    done: "People are invited.",
    anchor: "invite-by-link",
    action: "Invite people",
    path: "/admin/invitations?kind=link",
  },
  connect: {
    title: "Connect an app",
    open: "Connect the app that you will use, or send a first message from the page.",
    done: "An app uses your API key.",
    anchor: "connect-an-app",
    action: "Connect an app",
    path: "/connect",
  },
};
const PLAIN = "The address is {url}, so traffic is not encrypted. Set BASE_URL to an https address.";
const NO_MAIL =
  "Email is not configured, so invitations and password resets are not delivered. Set SMTP_URL and restart the server.";
const MAIL_FAILED =
  "The mail server did not accept the last test email ({reason}). Check SMTP_URL and MAIL_FROM.";

/** One of the first steps of an organization. */
export interface SetupStep {
  readonly title: string;
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
  const { realm, user, chat, t } = request;
  const isRoot = realm.subdomain === "";
  const [mail, hasPeople, channels, usedOn, server] = await Promise.all([
    checkMail(request),
    hasInvited(request),
    listPage(chat.store.kv, channelKeys.channels(realm.id), { limit: 1, cursor: null }),
    readKeyUseDay(chat, realm.id, user),
    isRoot ? listServerSteps(request) : [],
  ]);
  const guide = (name: keyof typeof GUIDED, isDone: boolean): SetupStep => {
    const { title, open, done, anchor, action, path } = GUIDED[name];
    return {
      ...{ title: t(title), isDone, text: t(isDone ? done : open), command: null },
      document: `/docs/first-steps#${anchor}`,
      // Another app can be connected at any time.
      action: isDone && name !== "connect" ? null : { name: t(action), path },
    };
  };
  return [
    guide("channel", channels.entries.length > 0),
    guide("people", hasPeople),
    guide("connect", usedOn !== null),
    mail,
    ...server,
  ];
}

async function listServerSteps(request: AdminRequest): Promise<readonly SetupStep[]> {
  const { services: { config, store }, formatter, t } = request;
  const madeAt = await readBackupTime(store.kv);
  const startedBy = config.isDeployment ? null : readStartedBy();
  const isSecure = config.baseUrl.startsWith("https:");
  return [
    {
      title: t("Use HTTPS"),
      isDone: isSecure,
      text: t(isSecure ? "The address is {url}." : PLAIN, { url: config.baseUrl }),
      document: "/docs/deploying#behind-a-reverse-proxy",
      command: startedBy && toStartCommand(startedBy, { BASE_URL: "https://sotto.example" }),
      action: null,
    },
    {
      title: t("Back up the server"),
      isDone: madeAt !== null,
      text: madeAt === null
        ? t("Run the backup command on the server, and schedule it.")
        : t("Last backup: {moment}.", { moment: formatter.moment(madeAt) }),
      document: "/docs/operating#backup-and-restore",
      command: startedBy && toAdminCommand(startedBy, "backup backup.kv"),
      action: null,
    },
  ];
}

/** Email is delivered when the mail server accepted the last test email. */
async function checkMail(request: AdminRequest): Promise<SetupStep> {
  const { chat, realm, user, services: { config }, t } = request;
  const title = t("Check email delivery");
  const step = { title, isDone: false, command: null, document: "/docs/configuration#mail" };
  if (config.smtpUrl === null) {
    // Only the administrators of the root organization may see how the server was started.
    const command = config.isDeployment || realm.subdomain !== ""
      ? null
      : toStartCommand(readStartedBy(), { SMTP_URL: "smtp://user:password@mail.example:587" });
    return { ...step, text: t(NO_MAIL), command, action: null };
  }
  const last = await readTestMail(chat.store, realm.id);
  const failure = last?.failure ?? null;
  const phrase = last === null
    ? "Send a test email to {address}."
    : failure === null
    ? "The mail server accepted the last test email."
    : MAIL_FAILED;
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
