import { useFormState } from "@/components/admin/form_state.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { organizationPage } from "./organization.tsx";
import { OrganizationNav } from "@/components/admin/organization/OrganizationNav.tsx";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { SERVICE_VERSION } from "@/lib/chat/organization/organizations/api.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { getMailSender } from "@/lib/mail/mail.ts";
import { countWaitingMail } from "@/lib/mail/queue.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import type { ComponentChildren } from "preact";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { countGivenUpMail, MOST_COUNTED, sendTestMail } from "@/lib/admin/organization/status_mail.ts";

const texts = {
  title: "Organization",
  status: "Status",
  isSetUp: "Configured",
  isNotSetUp: "Not configured",
  isOn: "On",
  isOff: "Off",
  statusLede:
    "The configuration of this server for {organization}. The server operator sets it with environment variables.",
  mail: "Email",
  mailSmtp: "Email is sent through an SMTP server.",
  mailFiles: "Email is not sent. It is written to files in {folder}.",
  mailWaits: "Email is not sent. It waits until SMTP_URL is set.",
  mailFilesAdvice:
    "Until SMTP_URL is set, share invitation links, and make sign-in links for users without a password.",
  mailFrom: "Sender: {sender}.",
  mailWaiting: { one: "{count} email is waiting.", other: "{count} emails are waiting." },
  mailNothingWaits: "No email is waiting.",
  mailManyWait: "{count} or more emails are waiting.",
  mailGivenUp: {
    one: "{count} email failed in the last 30 days.",
    other: "{count} emails failed in the last 30 days.",
  },
  mailManyGivenUp: "{count} or more emails failed in the last 30 days.",
  mailNoneGivenUp: "No email failed in the last 30 days.",
  testMail: "Send test email",
  testMailHint: "It is sent to {address}.",
  testMailFile: "It is addressed to {address}, but not sent.",
  signIn: "Sign-in",
  signInPassword: "Users sign in with their email address and password.",
  signInTokens: "Signed tokens (JWT) are also accepted: {algorithms}.",
  signInNoTokens: "Signed tokens (JWT) are not configured for this organization.",
  push: "Push notifications",
  pushOn: "Notifications are sent through {host}.",
  pushOff: "No push service is configured. Mobile devices receive no notifications.",
  video: "Video calls",
  videoOn: "Calls use {name}.",
  videoOff: "No provider is configured. Users cannot start calls.",
  uploads: "Uploads",
  uploadsMost: "Maximum size of a file: {size}.",
  uploadsQuota: "Storage limit: {size}.",
  uploadsNoQuota: "Storage limit: none.",
  uploadsUsed: "Used: {size}.",
  web: "Reading without an account",
  webOn: "The server and the organization allow it. Channels can be opened to the web.",
  webNotHere: "The server allows it, but the organization does not.",
  webForbidden: "The server does not allow it, regardless of the organization’s setting.",
  limits: "Rate limits",
  limitsOn: "Requests and failed sign-ins are limited.",
  limitsOff: "Rate limits are off. Password guessing is not slowed down.",
  address: "Address",
  addressHere: "This organization is at {url}.",
  addressServer: "The address of the server is {url} (BASE_URL).",
  addressPlain: "It does not use HTTPS, so traffic is not encrypted.",
  version: "Version",
  versionIs: "Sotto {version}, feature level {level}.",
  bytes: { 1: "{amount} bytes", 1024: "{amount} KiB", 1048576: "{amount} MiB", 1073741824: "{amount} GiB" },
};

type StatusData = Awaited<ReturnType<typeof loadStatus>>;

async function loadStatus(request: AdminRequest) {
  const { chat, realm, user, services: { config } } = request;
  const [waiting, givenUp, used] = await Promise.all([
    countWaitingMail(chat.store, MOST_COUNTED),
    countGivenUpMail(request),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
  ]);
  return {
    organization: realm.name,
    mail: {
      isSent: config.isMailDelivered,
      folder: getMailFolder(config),
      sender: getMailSender(config),
      waiting,
      givenUp,
      /** The waiting ones and those that failed in the last 30 days are counted up to this number. */
      most: MOST_COUNTED,
      address: user.delivery_email,
    },
    tokenAlgorithms: config.jwtAuthKeys[realm.subdomain]?.algorithms ?? null,
    pushHost: config.pushBouncerUrl === null ? null : new URL(config.pushBouncerUrl).host,
    videoProvider: config.videoProvider?.name ?? null,
    uploads: {
      most: config.uploadMaxMib * MIB,
      quota: config.uploadQuotaMib === 0 ? null : config.uploadQuotaMib * MIB,
      used,
    },
    isWebAllowed: config.webPublicStreamsEnabled,
    isWebWanted: realm.settings.enable_spectator_access,
    hasRateLimits: config.rateLimits !== null,
    url: realmUrl(chat, realm),
    serverUrl: config.baseUrl,
    version: SERVICE_VERSION.service_version,
    featureLevel: SERVICE_VERSION.service_feature_level,
  };
}

/** Renders the server's configuration in plain language and without secrets. */
export const statusPage = adminPage({
  path: "/admin/organization/status",
  load: loadStatus,
  title: "Status",
  find: { words: "health mail server version" },
  lede: ({ organization }, t) => t(texts.statusLede, { organization }),
  above: [organizationPage],
  forms: [
    {
      action: "test_mail",
      run: (request) => sendTestMail(request, "/admin/organization/status#mail"),
    },
  ],
  view: ({ data }) => {
    const { text, t } = useTexts(texts);
    return (
      <>
        <OrganizationNav here="status" />
        <div>
          <MailCard mail={data.mail} problem={useFormState({ action: "test_mail" }).problems["form"]} />
          <SignInCard data={data} />
          <ServiceCards data={data} />
          <UploadsCard uploads={data.uploads} />
          <Card id="web" title={text.web}>
            <p>{data.isWebAllowed ? data.isWebWanted ? text.webOn : text.webNotHere : text.webForbidden}</p>
          </Card>
          <Card
            id="limits"
            title={text.limits}
            isGood={data.hasRateLimits}
            isUrgent={!data.hasRateLimits}
            names={{ good: text.isOn, bad: text.isOff }}
          >
            <p>{data.hasRateLimits ? text.limitsOn : text.limitsOff}</p>
          </Card>
          <AddressCard data={data} />
          <Card id="version" title={text.version}>
            <p>{t(text.versionIs, { version: data.version, level: String(data.featureLevel) })}</p>
          </Card>
        </div>
      </>
    );
  },
});

/** Renders the state of the external services: mail, push notifications and calls. */
function ServiceCards({ data }: { data: StatusData }) {
  const { text, t } = useTexts(texts);
  return (
    <>
      <Card id="push" title={text.push} isGood={data.pushHost !== null}>
        <p>{data.pushHost === null ? text.pushOff : t(text.pushOn, { host: data.pushHost })}</p>
      </Card>
      <Card id="video" title={text.video} isGood={data.videoProvider !== null}>
        <p>
          {data.videoProvider === null ? text.videoOff : t(text.videoOn, { name: data.videoProvider })}
        </p>
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
  /** Labels for configured and not configured. */
  readonly names?: { readonly good: string; readonly bad: string };
  readonly children: ComponentChildren;
}

/** Renders one item: title, short state and details. */
function Card({ id, title, isGood, isUrgent = false, names, children }: CardProps) {
  const { text } = useTexts(texts);
  const look = isUrgent ? "text-accent" : isGood === true ? "text-good" : "text-soft";
  const { good, bad } = names ?? { good: text.isSetUp, bad: text.isNotSetUp };
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      class="flex scroll-mt-4 flex-wrap gap-x-10 gap-y-1 border-b border-rule py-5"
    >
      <div class="flex flex-[1_1_12.5rem] flex-wrap items-baseline gap-x-3 md:block">
        <h2 id={`${id}-title`} class="font-sans text-body font-strong tracking-normal">{title}</h2>
        {isGood !== undefined && <p class={`text-small font-medium ${look}`}>{isGood ? good : bad}</p>}
      </div>
      <div class="min-w-0 flex-[999_1_28rem]">
        <div class="grid max-w-[62ch] content-start gap-1">{children}</div>
      </div>
    </section>
  );
}

function MailCard({ mail, problem }: { mail: StatusData["mail"]; problem: string | undefined }) {
  const { text, t } = useTexts(texts);
  return (
    <Card id="mail" title={text.mail} isGood={mail.isSent} isUrgent={!mail.isSent}>
      <p class="break-words">{toDelivery()} {!mail.isSent && text.mailFilesAdvice}</p>
      <p class="text-soft">
        {t(text.mailFrom, { sender: mail.sender })} {toWaiting(mail.waiting)} {toGivenUp(mail.givenUp)}
      </p>
      {problem !== undefined && <p role="alert" class="font-medium text-accent">{problem}</p>}
      <form method="post" class="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <input type="hidden" name="action" value="test_mail" />
        <button type="submit" class={QUIET_BUTTON}>{text.testMail}</button>
        <p class="text-small text-soft">
          {t(mail.isSent ? text.testMailHint : text.testMailFile, { address: mail.address })}
        </p>
      </form>
    </Card>
  );

  function toDelivery(): string {
    if (mail.isSent) return text.mailSmtp;
    return mail.folder === null ? text.mailWaits : t(text.mailFiles, { folder: mail.folder });
  }

  function toWaiting(count: number): string {
    if (count === 0) return text.mailNothingWaits;
    return t(count >= mail.most ? text.mailManyWait : text.mailWaiting, { count });
  }

  function toGivenUp(count: number): string {
    if (count === 0) return text.mailNoneGivenUp;
    return t(count >= mail.most ? text.mailManyGivenUp : text.mailGivenUp, { count });
  }
}

function SignInCard({ data }: { data: StatusData }) {
  const { text, t, formatter } = useTexts(texts);
  return (
    <Card id="sign-in" title={text.signIn}>
      <p>{text.signInPassword}</p>
      <p>
        {data.tokenAlgorithms === null
          ? text.signInNoTokens
          : t(text.signInTokens, { algorithms: formatter.list(data.tokenAlgorithms) })}
      </p>
    </Card>
  );
}

function UploadsCard({ uploads }: { uploads: StatusData["uploads"] }) {
  const { text, t, formatter } = useTexts(texts);
  const toSize = (bytes: number) => formatBytes(formatter, text.bytes, bytes);
  return (
    <Card id="uploads" title={text.uploads}>
      <p>
        {t(text.uploadsMost, { size: toSize(uploads.most) })}{" "}
        {uploads.quota === null ? text.uploadsNoQuota : t(text.uploadsQuota, { size: toSize(uploads.quota) })}
      </p>
      {uploads.used !== null && <p>{t(text.uploadsUsed, { size: toSize(uploads.used) })}</p>}
    </Card>
  );
}

function AddressCard({ data }: { data: StatusData }) {
  const { text, t } = useTexts(texts);
  const isPlain = data.serverUrl.startsWith("http:");
  return (
    <Card id="address" title={text.address}>
      <p class="break-words">{t(text.addressHere, { url: data.url })}</p>
      {data.serverUrl !== data.url && (
        <p class="break-words">{t(text.addressServer, { url: data.serverUrl })}</p>
      )}
      {isPlain && <p class="text-accent">{text.addressPlain}</p>}
    </Card>
  );
}
