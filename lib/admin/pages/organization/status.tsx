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
import type { Phrase } from "@/lib/ui/formatter.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import type { ComponentChildren } from "preact";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { countGivenUpMail, MOST_COUNTED, sendTestMail } from "@/lib/admin/organization/status_mail.ts";

const texts = {
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
  mailManyGivenUp: "{count} or more emails failed in the last 30 days.",
  mailNoneGivenUp: "No email failed in the last 30 days.",
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
  const { chat, realm, services: { config } } = request;
  const [waiting, givenUp, used] = await Promise.all([
    countWaitingMail(chat.store, MOST_COUNTED),
    countGivenUpMail(request),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
  ]);
  return { config, realm, url: realmUrl(chat, realm), waiting, givenUp, used };
}

/** Renders the server's configuration in plain language and without secrets. */
export const statusPage = adminPage({
  path: "/admin/organization/status",
  load: loadStatus,
  title: "Status",
  find: { words: "health mail server version" },
  lede: ({ realm }, t) => t(texts.statusLede, { organization: realm.name }),
  above: [organizationPage],
  forms: [
    {
      action: "test_mail",
      run: (request) => sendTestMail(request, "/admin/organization/status#mail"),
    },
  ],
  view: ({ data }) => (
    <>
      <OrganizationNav here="status" />
      <div>
        <MailCard data={data} />
        {[...useServiceCards(data), ...useServerCards(data)].map((card) => <Card key={card.id} {...card} />)}
      </div>
    </>
  ),
});

/** Returns the state of what users can do with the server. */
function useServiceCards({ config, realm, used }: StatusData): readonly CardProps[] {
  const { text, t, formatter, messages: { organization } } = useTexts(texts);
  const toSize = (bytes: number) => formatBytes(formatter, organization.bytes, bytes);
  const { pushBouncerUrl, videoProvider, uploadMaxMib, uploadQuotaMib } = config;
  const algorithms = config.jwtAuthKeys[realm.subdomain]?.algorithms ?? null;
  const isWebWanted = realm.settings.enable_spectator_access;
  const most = t(text.uploadsMost, { size: toSize(uploadMaxMib * MIB) });
  const quota = uploadQuotaMib === 0
    ? text.uploadsNoQuota
    : t(text.uploadsQuota, { size: toSize(uploadQuotaMib * MIB) });
  return [
    {
      id: "sign-in",
      title: text.signIn,
      lines: [
        text.signInPassword,
        algorithms === null
          ? text.signInNoTokens
          : t(text.signInTokens, { algorithms: formatter.list(algorithms) }),
      ],
    },
    {
      id: "push",
      title: text.push,
      isGood: pushBouncerUrl !== null,
      lines: [
        pushBouncerUrl === null ? text.pushOff : t(text.pushOn, { host: new URL(pushBouncerUrl).host }),
      ],
    },
    {
      id: "video",
      title: text.video,
      isGood: videoProvider !== null,
      lines: [videoProvider === null ? text.videoOff : t(text.videoOn, { name: videoProvider.name })],
    },
    {
      id: "uploads",
      title: text.uploads,
      lines: [`${most} ${quota}`, ...(used === null ? [] : [t(text.uploadsUsed, { size: toSize(used) })])],
    },
    {
      id: "web",
      title: text.web,
      lines: [
        !config.webPublicStreamsEnabled ? text.webForbidden : isWebWanted ? text.webOn : text.webNotHere,
      ],
    },
  ];
}

/** Returns the state of the server itself. */
function useServerCards({ config: { rateLimits, baseUrl }, url }: StatusData): readonly CardProps[] {
  const { text, t, messages: { overview } } = useTexts(texts);
  const hasLimits = rateLimits !== null;
  const { service_version: version, service_feature_level: level } = SERVICE_VERSION;
  return [
    {
      id: "limits",
      title: text.limits,
      isGood: hasLimits,
      isUrgent: !hasLimits,
      names: { good: text.isOn, bad: text.isOff },
      lines: [hasLimits ? text.limitsOn : overview.noLimits],
    },
    {
      id: "address",
      title: text.address,
      lines: [
        t(text.addressHere, { url }),
        ...(baseUrl === url ? [] : [t(text.addressServer, { url: baseUrl })]),
      ],
      ...(baseUrl.startsWith("http:") ? { warning: text.addressPlain } : {}),
    },
    {
      id: "version",
      title: text.version,
      lines: [t(text.versionIs, { version, level: String(level) })],
    },
  ];
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
  /** Sentences about it. */
  readonly lines?: readonly string[];
  readonly warning?: string;
  readonly children?: ComponentChildren;
}

/** Renders one item: title, short state and details. */
function Card(
  { id, title, isGood, isUrgent = false, names, lines = [], warning, children }: CardProps,
) {
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
        <div class="grid max-w-[62ch] content-start gap-1">
          {lines.map((line) => <p key={line} class="break-words">{line}</p>)}
          {warning !== undefined && <p class="text-accent">{warning}</p>}
          {children}
        </div>
      </div>
    </section>
  );
}

function MailCard({ data: { config, waiting, givenUp } }: { data: StatusData }) {
  const { text, t, messages: { overview, organization }, user: { delivery_email: address } } = useTexts(
    texts,
  );
  const problem = useFormState({ action: "test_mail" }).problems["form"];
  const isSent = config.isMailDelivered;
  const folder = getMailFolder(config);
  const delivery = isSent
    ? text.mailSmtp
    : `${folder === null ? text.mailWaits : t(text.mailFiles, { folder })} ${text.mailFilesAdvice}`;
  const describe = (count: number, [none, some, many]: readonly [string, Phrase, string]) =>
    count === 0 ? none : t(count >= MOST_COUNTED ? many : some, { count });
  return (
    <Card id="mail" title={text.mail} isGood={isSent} isUrgent={!isSent} lines={[delivery]}>
      <p class="text-soft">
        {t(text.mailFrom, { sender: getMailSender(config) })}{" "}
        {describe(waiting, [text.mailNothingWaits, text.mailWaiting, text.mailManyWait])}{" "}
        {describe(givenUp, [text.mailNoneGivenUp, overview.mailGivenUp, text.mailManyGivenUp])}
      </p>
      {problem !== undefined && <p role="alert" class="font-medium text-accent">{problem}</p>}
      <form method="post" class="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <input type="hidden" name="action" value="test_mail" />
        <button type="submit" class={QUIET_BUTTON}>{organization.testMail}</button>
        <p class="text-small text-soft">{t(isSent ? text.testMailHint : text.testMailFile, { address })}</p>
      </form>
    </Card>
  );
}
