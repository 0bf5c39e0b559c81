import { Link } from "@/components/Link.tsx";
import { CodePointList, QrCode, ShortLinkText } from "@/components/ShortLinkText.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { Moment } from "@/components/admin/Moment.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { Directory } from "@/lib/chat/organization/users/store.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { FileLink } from "@/lib/admin/charts/ChartSection.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { LinkCreatorName, linkPath, type ShownLink, StatusText, UrlText, VisitCount } from "./shown_link.tsx";

const CLOSED = {
  disabled: "This link is disabled. It leads nowhere until you enable it.",
  expired: "This link has expired and leads nowhere.",
  used_up: "This link has reached its maximum number of visits and leads nowhere.",
  blocked: "The host of this link is blocked, so it leads nowhere.",
};

interface LinkCardProps {
  readonly link: ShownLink;
  /** Users of the organization by id. */
  readonly users: Directory["byId"];
}

/** Renders the link itself, its QR code and what is known of it. */
export function LinkCard({ link, users }: LinkCardProps) {
  const { t } = useTexts(null);
  const { short, status, isDisabled, url } = link;
  const path = linkPath(short);
  return (
    <section
      aria-label={t("Short link")}
      class="mb-9 grid gap-x-10 gap-y-6 border-y border-rule py-6 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div class="grid content-start gap-5">
        {status !== "active" && <p class="font-medium text-accent">{t(CLOSED[status])}</p>}
        <ShortLinkText link={link.link} short={short} />
        <SecretField
          id="short-link"
          label={t("Short link")}
          value={toPlainLink(link)}
          copy={t("Copy short link")}
        >
          <CopyText text={link.link} label={t("Copy encoded link")} done={t("Encoded link copied.")} />
        </SecretField>
        <Facts link={link} users={users} />
        <div class="flex flex-wrap items-center gap-x-5">
          <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }}>
            {t(isDisabled ? "Enable" : "Disable")}
          </ActionButton>
          <ActionLink href={`${path}/delete`} about={toVisible(url)}>{t("Delete")}</ActionLink>
        </div>
        <details class="text-small">
          <summary class="link inline-flex min-h-9 w-fit items-center font-medium">
            {t("Invisible characters")}
          </summary>
          <CodePointList text={short} />
        </details>
      </div>
      <div class="grid content-start gap-1">
        <QrCode text={link.link} label={t("QR code of the short link")} />
        <FileLink path={`${path}/qr?format=svg`}>{t("Download SVG")}</FileLink>
        <FileLink path={`${path}/qr?format=png`}>{t("Download PNG")}</FileLink>
      </div>
    </section>
  );
}

function Facts({ link, users }: LinkCardProps) {
  const { t } = useTexts(null);
  const { url, createdAt, creator } = link;
  const { hostname, protocol } = new URL(url);
  const facts = {
    [t("Destination")]: /^https?:$/.test(protocol)
      ? (
        <Link class="link" href={url} rel="noopener noreferrer">
          <UrlText url={url} />
        </Link>
      )
      : (
        <>
          <UrlText url={url} />
          <p class="text-soft">{t("This is not a web address, so browsers are not redirected.")}</p>
        </>
      ),
    ...(hostname === "" ? {} : {
      [t("Host")]: (
        <span class="flex flex-wrap gap-x-4">
          <Link class="link" href={`/admin/links?host=${encodeURIComponent(hostname)}#list`}>
            <bdi>{hostname}</bdi>
          </Link>
          <Link class="link" href={`/admin/links/hosts?host=${encodeURIComponent(hostname)}`}>
            {t("Block this host")}
          </Link>
        </span>
      ),
    }),
    [t("Encoded link, for programs that remove invisible characters")]: (
      <code class="font-mono text-tiny break-all select-all">{link.link}</code>
    ),
    [t("Status")]: <StatusText link={link} />,
    [t("Created")]: (
      <span class="flex flex-wrap gap-x-2">
        <Moment time={createdAt} />
        {creator !== undefined && <LinkCreatorName creator={creator} users={users} />}
      </span>
    ),
    [t("Visits")]: <VisitCount link={link} />,
  };
  return (
    <dl class="grid gap-y-3 text-small">
      {Object.entries(facts).map(([term, value]) => (
        <div key={term} class="min-w-0">
          <dt class="text-soft">{term}</dt>
          <dd class="mt-0.5">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
