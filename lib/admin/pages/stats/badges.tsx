import { FieldFrame, getAriaAttributes } from "@/components/admin/FieldFrame.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { QueryValues } from "@/lib/admin/query.ts";
import { escapeHtml } from "@/lib/core/text.ts";
import { toBadge } from "@/lib/api/badge.ts";
import type { readInstanceCounts } from "@/lib/links/store.ts";
import { QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import project from "@/deno.json" with { type: "json" };

const texts = {
  badgesLede:
    "Images for a README that show these figures. A badge service creates them and must be able to reach {address}.",
  serviceHint:
    "The service must accept the URL of the badge data as ?url=, for example https://badges.example/endpoint. It is used in the snippets below.",
};

/** Placeholder for the badge service's address. */
const PLACEHOLDER = "https://BADGE-SERVICE/endpoint";

/** Parses the address of a badge service; null for anything else. */
function readService(text: string): string | null {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

interface BadgeSectionProps {
  readonly baseUrl: string;
  readonly counts: Awaited<ReturnType<typeof readInstanceCounts>>;
  /** Address of the badge service, as it was typed. */
  readonly typed: string;
  /** Other parameters of the page's query. */
  readonly query: QueryValues;
}

/** Renders the three badges with their current figures, and the markup to embed them. */
export function BadgeSection({ baseUrl, counts, typed, query }: BadgeSectionProps) {
  const { text, t } = useTexts(texts);
  const service = readService(typed);
  const badges = [
    ["urls", "Short links", counts.urls],
    ["visits", "Visits", counts.visits],
    ["version", "Version", `v${project.version}`],
  ] as const;
  return (
    <section aria-labelledby="badges-title" class="mb-10" id="badges">
      <h2 id="badges-title">{t("Badges")}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{t(text.badgesLede, { address: baseUrl })}</p>
      <Service typed={typed} isWrong={typed.trim() !== "" && service === null} query={query} />
      <ul class="mt-5 border-t border-rule">
        {badges.map(([name, title, value]) => (
          <BadgeRow
            key={name}
            name={t(title)}
            badge={toBadge(name, value)}
            url={`${baseUrl}/stats/badges/${name}`}
            service={service ?? PLACEHOLDER}
          />
        ))}
      </ul>
    </section>
  );
}

function Service({ typed, isWrong, query }: { typed: string; isWrong: boolean; query: QueryValues }) {
  const { text, t } = useTexts(texts);
  const problem = isWrong ? t("Enter a URL that begins with https:// or http://.") : undefined;
  const notes = { id: "service", hint: text.serviceHint, problem };
  return (
    <form method="get" action="#badges" class="mt-4 max-w-[44rem]">
      {Object.entries(query).map(([name, value]) =>
        value && <input key={name} type="hidden" name={name} value={value} />
      )}
      <FieldFrame {...notes} label={t("URL of your badge service")}>
        <div class="flex flex-wrap gap-3">
          <input
            {...getAriaAttributes(notes)}
            name="service"
            type="url"
            placeholder="https://"
            autoComplete="off"
            defaultValue={typed}
            class={`${TEXT_FIELD} min-w-0 flex-[1_1_14rem]`}
          />
          <button type="submit" class={QUIET_BUTTON} formNoValidate>{t("Apply")}</button>
        </div>
      </FieldFrame>
    </form>
  );
}

interface BadgeRowProps {
  readonly name: string;
  readonly badge: Pick<ReturnType<typeof toBadge>, "label" | "message">;
  /** Public URL of its figures. */
  readonly url: string;
  /** URL of the badge service. */
  readonly service: string;
}

/** Renders a badge with the codes that embed it. */
function BadgeRow({ name, badge: { label, message }, url, service }: BadgeRowProps) {
  const { t } = useTexts(null);
  const picture = `${service}${service.includes("?") ? "&" : "?"}url=${encodeURIComponent(url)}`;
  const codes = {
    URL: url,
    Markdown: `![${label}](${picture.replaceAll("(", "%28").replaceAll(")", "%29")})`,
    HTML: `<img src="${escapeHtml(picture)}" alt="${label}">`,
  };
  return (
    <li class="grid gap-x-8 gap-y-3 border-b border-rule py-5 md:grid-cols-[9rem_minmax(0,1fr)]">
      <div>
        <h3 class="mb-2 text-small font-strong">{name}</h3>
        <BadgeImage label={label} message={message} />
      </div>
      <dl class="grid min-w-0 gap-3">
        {Object.entries(codes).map(([kind, content]) => (
          <div
            key={kind}
            class="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto]"
          >
            <dt class="text-small text-soft">{t(kind)}</dt>
            <dd class="min-w-0">
              <code class="block font-mono text-tiny break-all select-all">{content}</code>
            </dd>
            <dd>
              <CopyText
                text={content}
                label={t("Copy")}
                about={t("Copy {what} of {name}", { what: t(kind), name })}
                done={t("Copied.")}
              />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Renders a badge as badge services draw it, with its English text in this server's colors. */
function BadgeImage({ label, message }: BadgeRowProps["badge"]) {
  const { t } = useTexts(null);
  return (
    <span
      role="img"
      aria-label={t("Badge: {label} {message}", { label, message })}
      class="inline-flex max-w-full overflow-hidden rounded-small text-tiny leading-6 text-paper"
    >
      <span lang="en" class="bg-ink px-2">{label}</span>
      <span lang="en" class="bg-accent px-2 font-strong">{message}</span>
    </span>
  );
}
