import { useAdmin } from "@/components/admin/admin_view.ts";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { organizationPage } from "./organization.tsx";
import { OrganizationNav } from "@/components/admin/organization/OrganizationNav.tsx";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { SERVICE_VERSION } from "@/lib/chat/organization/organizations/api.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { getMailSender } from "@/lib/mail/mail.ts";
import { countWaitingMail } from "@/lib/mail/queue.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { MAIL_GIVEN_UP, NO_LIMITS } from "@/lib/ui/texts.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import type { ComponentChildren } from "preact";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { countGivenUpMail, MOST_COUNTED, sendTestMail } from "@/lib/admin/organization/status_mail.ts";

const MAIL_ADVICE =
  "Until SMTP_URL is set, share invitation links, and make sign-in links for users without a password.";
const WAITING = {
  zero: "No email is waiting.",
  one: "{count} email is waiting.",
  other: "{count} emails are waiting.",
};
const GIVEN_UP = { zero: "No email failed in the last 30 days.", ...MAIL_GIVEN_UP };

type StatusData = Awaited<ReturnType<typeof loadStatus>>;

async function loadStatus(request: AdminRequest) {
  const { chat, realm, services: { config } } = request;
  const [waiting, givenUp, used] = await Promise.all([
    countWaitingMail(chat.store, MOST_COUNTED),
    countGivenUpMail(request),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
  ]);
  return { config, realm, url: realmUrl(chat, realm), waiting, givenUp, used };
}

const sendTest = form({
  action: "test_mail",
  button: "Send test email",
  run: (request) => sendTestMail(request, "/admin/organization/status#mail"),
});

/** Renders the server's configuration in plain language and without secrets. */
export const statusPage = adminPage({
  path: "/admin/organization/status",
  load: loadStatus,
  title: "Status",
  find: { words: "health mail server version" },
  lede: ({ realm }, t) =>
    t(
      "The configuration of this server for {organization}. The server operator sets it with environment variables.",
      { organization: realm.name },
    ),
  above: [organizationPage],
  forms: [sendTest],
  view: ({ data }) => (
    <>
      <OrganizationNav here="/admin/organization/status" />
      <MailCard data={data} />
      <ServiceCards data={data} />
      <ServerCards data={data} />
    </>
  ),
});

/** Renders the state of what users can do with the server. */
function ServiceCards({ data: { config, realm, used } }: { data: StatusData }) {
  const { t, formatter } = useAdmin();
  const toSize = (bytes: number) => ({ size: formatBytes(t, bytes) });
  const { pushBouncerUrl, videoProvider, uploadMaxMib, uploadQuotaMib } = config;
  const algorithms = config.jwtAuthKeys[realm.subdomain]?.algorithms;
  const most = t("Maximum size of a file: {size}.", toSize(uploadMaxMib * MIB));
  const quota = uploadQuotaMib === 0
    ? t("Storage limit: none.")
    : t("Storage limit: {size}.", toSize(uploadQuotaMib * MIB));
  const web = !config.webPublicStreamsEnabled
    ? "The server does not allow it, regardless of the organization’s setting."
    : realm.settings.enable_spectator_access
    ? "The server and the organization allow it. Channels can be opened to the web."
    : "The server allows it, but the organization does not.";
  return (
    <>
      <Card id="sign-in" title={t("Sign-in")}>
        <p>{t("Users sign in with their email address and password.")}</p>
        <p>
          {algorithms === undefined
            ? t("Signed tokens (JWT) are not configured for this organization.")
            : t("Signed tokens (JWT) are also accepted: {algorithms}.", {
              algorithms: formatter.list(algorithms),
            })}
        </p>
      </Card>
      <Card id="push" title={t("Push notifications")} isGood={pushBouncerUrl !== null}>
        {pushBouncerUrl === null
          ? t("No push service is configured. Mobile devices receive no notifications.")
          : t("Notifications are sent through {host}.", { host: new URL(pushBouncerUrl).host })}
      </Card>
      <Card id="video" title={t("Video calls")} isGood={videoProvider !== null}>
        {videoProvider === null
          ? t("No provider is configured. Users cannot start calls.")
          : t("Calls use {name}.", { name: videoProvider.name })}
      </Card>
      <Card id="uploads" title={t("Uploads")}>
        <p>{most} {quota}</p>
        {used !== null && <p>{t("Used: {size}.", toSize(used))}</p>}
      </Card>
      <Card id="web" title={t("Reading without an account")}>{t(web)}</Card>
    </>
  );
}

/** Renders the state of the server itself. */
function ServerCards({ data: { config: { rateLimits, baseUrl }, url } }: { data: StatusData }) {
  const { t } = useAdmin();
  const hasLimits = rateLimits !== null;
  const { service_version: version, service_feature_level: level } = SERVICE_VERSION;
  return (
    <>
      <Card
        id="limits"
        title={t("Rate limits")}
        isGood={hasLimits}
        isUrgent={!hasLimits}
        state={t(hasLimits ? "On" : "Off")}
      >
        {hasLimits ? t("Requests and failed sign-ins are limited.") : t(NO_LIMITS)}
      </Card>
      <Card id="address" title={t("Address")}>
        <p>{t("This organization is at {url}.", { url })}</p>
        {baseUrl !== url && <p>{t("The address of the server is {url} (BASE_URL).", { url: baseUrl })}</p>}
        {baseUrl.startsWith("http:") && (
          <p class="text-accent">{t("It does not use HTTPS, so traffic is not encrypted.")}</p>
        )}
      </Card>
      <Card id="version" title={t("Version")}>
        {t("Sotto {version}, feature level {level}.", { version, level: String(level) })}
      </Card>
    </>
  );
}

interface CardProps {
  readonly id: string;
  readonly title: string;
  /** Whether the service is configured; omitted if that does not apply. */
  readonly isGood?: boolean;
  /** Whether an operator should act. */
  readonly isUrgent?: boolean;
  /** State of the service; whether it is configured by default. */
  readonly state?: string;
  readonly children: ComponentChildren;
}

/** Renders one item: title, short state and details. */
function Card({ id, title, isGood, isUrgent = false, state, children }: CardProps) {
  const { t } = useAdmin();
  const look = isUrgent ? "text-accent" : isGood === true ? "text-good" : "text-soft";
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      class="flex scroll-mt-4 flex-wrap gap-x-10 gap-y-1 border-b border-rule py-5"
    >
      <div class="flex flex-[1_1_12.5rem] flex-wrap items-baseline gap-x-3 md:block">
        <h2 id={`${id}-title`} class="font-sans text-body font-strong tracking-normal">{title}</h2>
        {isGood !== undefined && (
          <p class={`text-small font-medium ${look}`}>
            {state ?? t(isGood ? "Configured" : "Not configured")}
          </p>
        )}
      </div>
      <div class="min-w-0 flex-[999_1_28rem]">
        <div class="grid max-w-[62ch] content-start gap-1 break-words">{children}</div>
      </div>
    </section>
  );
}

function MailCard({ data: { config, waiting, givenUp } }: { data: StatusData }) {
  const { t, user } = useAdmin();
  const isSent = config.isMailDelivered;
  const folder = getMailFolder(config);
  const sending = isSent
    ? "Email is sent through an SMTP server."
    : folder === null
    ? "Email is not sent. It waits until SMTP_URL is set."
    : "Email is not sent. It is written to files in {folder}.";
  const describe = (count: number, phrase: Phrase, many: string) =>
    t(count < MOST_COUNTED ? phrase : many, { count });
  return (
    <Card id="mail" title={t("Email")} isGood={isSent} isUrgent={!isSent}>
      <p>{t(sending, { folder: folder ?? "" })} {!isSent && t(MAIL_ADVICE)}</p>
      <p class="mb-2 text-soft">
        {t("Sender: {sender}.", { sender: getMailSender(config) })}{" "}
        {describe(waiting, WAITING, "{count} or more emails are waiting.")}{" "}
        {describe(givenUp, GIVEN_UP, "{count} or more emails failed in the last 30 days.")}
      </p>
      <Form
        of={sendTest}
        look={QUIET_BUTTON}
        beside={
          <p class="text-small text-soft">
            {t(isSent ? "It is sent to {address}." : "It is addressed to {address}, but not sent.", {
              address: user.delivery_email,
            })}
          </p>
        }
      />
    </Card>
  );
}
