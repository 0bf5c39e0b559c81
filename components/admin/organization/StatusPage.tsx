import type { ComponentChildren } from "preact";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { StatusData } from "@/lib/admin/organization/status_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { OrganizationNav } from "./OrganizationNav.tsx";

/** Renders the server's configuration in plain language and without secrets. */
export function StatusPage({ data, refused }: AdminPageData<StatusData>) {
  const { messages, formatter, realm } = useAdmin();
  const text = messages.organization;
  return (
    <>
      <AdminHeading
        title={text.status}
        lede={formatter.t(text.statusLede, { organization: realm.name })}
        above={[{ path: "/admin/organization", name: text.title }]}
      />
      <OrganizationNav here="status" />
      <div>
        <MailCard mail={data.mail} problem={formState(refused, "test_mail").problems["form"]} />
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
          <p>{formatter.t(text.versionIs, { version: data.version, level: String(data.featureLevel) })}</p>
        </Card>
      </div>
    </>
  );
}

/** Renders the state of the external services: mail, push notifications and calls. */
function ServiceCards({ data }: { data: StatusData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  return (
    <>
      <Card id="push" title={text.push} isGood={data.pushHost !== null}>
        <p>{data.pushHost === null ? text.pushOff : formatter.t(text.pushOn, { host: data.pushHost })}</p>
      </Card>
      <Card id="video" title={text.video} isGood={data.videoProvider !== null}>
        <p>
          {data.videoProvider === null
            ? text.videoOff
            : formatter.t(text.videoOn, { name: data.videoProvider })}
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
  const { messages } = useAdmin();
  const look = isUrgent ? "text-accent" : isGood === true ? "text-good" : "text-soft";
  const text = messages.organization;
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
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  return (
    <Card id="mail" title={text.mail} isGood={mail.isSent} isUrgent={!mail.isSent}>
      <p class="break-words">{toDelivery()} {!mail.isSent && text.mailFilesAdvice}</p>
      <p class="text-soft">
        {formatter.t(text.mailFrom, { sender: mail.sender })} {toWaiting(mail.waiting)}{" "}
        {toGivenUp(mail.givenUp)}
      </p>
      {problem !== undefined && <p role="alert" class="font-medium text-accent">{problem}</p>}
      <form method="post" class="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <input type="hidden" name="action" value="test_mail" />
        <button type="submit" class={QUIET_BUTTON}>{text.testMail}</button>
        <p class="text-small text-soft">
          {formatter.t(mail.isSent ? text.testMailHint : text.testMailFile, { address: mail.address })}
        </p>
      </form>
    </Card>
  );

  function toDelivery(): string {
    if (mail.isSent) return text.mailSmtp;
    return mail.folder === null ? text.mailWaits : formatter.t(text.mailFiles, { folder: mail.folder });
  }

  function toWaiting(count: number): string {
    if (count === 0) return text.mailNothingWaits;
    return formatter.t(count >= mail.most ? text.mailManyWait : text.mailWaiting, { count });
  }

  function toGivenUp(count: number): string {
    if (count === 0) return text.mailNoneGivenUp;
    return formatter.t(count >= mail.most ? text.mailManyGivenUp : text.mailGivenUp, { count });
  }
}

function SignInCard({ data }: { data: StatusData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  return (
    <Card id="sign-in" title={text.signIn}>
      <p>{text.signInPassword}</p>
      <p>
        {data.tokenAlgorithms === null
          ? text.signInNoTokens
          : formatter.t(text.signInTokens, { algorithms: formatter.list(data.tokenAlgorithms) })}
      </p>
    </Card>
  );
}

function UploadsCard({ uploads }: { uploads: StatusData["uploads"] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  const toSize = (bytes: number) => formatBytes(formatter, text.bytes, bytes);
  return (
    <Card id="uploads" title={text.uploads}>
      <p>
        {formatter.t(text.uploadsMost, { size: toSize(uploads.most) })} {uploads.quota === null
          ? text.uploadsNoQuota
          : formatter.t(text.uploadsQuota, { size: toSize(uploads.quota) })}
      </p>
      {uploads.used !== null && <p>{formatter.t(text.uploadsUsed, { size: toSize(uploads.used) })}</p>}
    </Card>
  );
}

function AddressCard({ data }: { data: StatusData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  const isPlain = data.serverUrl.startsWith("http:");
  return (
    <Card id="address" title={text.address}>
      <p class="break-words">{formatter.t(text.addressHere, { url: data.url })}</p>
      {data.serverUrl !== data.url && (
        <p class="break-words">{formatter.t(text.addressServer, { url: data.serverUrl })}</p>
      )}
      {isPlain && <p class="text-accent">{text.addressPlain}</p>}
    </Card>
  );
}
