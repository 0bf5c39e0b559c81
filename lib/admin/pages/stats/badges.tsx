import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { QueryValues } from "@/components/admin/charts/BarTable.tsx";
import { escapeHtml } from "@/lib/core/text.ts";
import { toBadge } from "@/lib/api/badge.ts";
import type { readInstanceCounts } from "@/lib/links/store.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import project from "@/deno.json" with { type: "json" };

const texts = {
  badgesTitle: "Badges",
  badgesLede:
    "Images for a README that show these figures. A badge service creates them and must be able to reach {address}.",
  badges: { urls: "Short links", visits: "Visits", version: "Version" },
  badgeSays: "Badge: {label} {message}",
  service: "URL of your badge service",
  serviceHint:
    "The service must accept the URL of the badge data as ?url=, for example https://badges.example/endpoint. It is used in the snippets below.",
  serviceProblem: "Enter a URL that begins with https:// or http://.",
  fillIn: "Apply",
  badgeTexts: { url: "URL", markdown: "Markdown", html: "HTML" },
  copyOf: "Copy {what} of {name}",
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
  /** The page's query, which has the address of the badge service as it was typed. */
  readonly query: QueryValues;
}

/** Renders the three badges with their current figures, and the markup to embed them. */
export function BadgeSection({ baseUrl, counts, query }: BadgeSectionProps) {
  const { text, t } = useTexts(texts);
  const { service: typed = "" } = query;
  const service = readService(typed);
  const badges = [
    ["urls", counts.urls],
    ["visits", counts.visits],
    ["version", `v${project.version}`],
  ] as const;
  return (
    <section aria-labelledby="badges-title" class="mb-10" id="badges">
      <h2 id="badges-title">{text.badgesTitle}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{t(text.badgesLede, { address: baseUrl })}</p>
      <Service typed={typed} isWrong={typed.trim() !== "" && service === null} query={query} />
      <ul class="mt-5 border-t border-rule">
        {badges.map(([name, value]) => (
          <BadgeRow
            key={name}
            name={text.badges[name]}
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
  const { text } = useTexts(texts);
  return (
    <form method="get" action="#badges" class="mt-4 grid gap-1.5">
      {Object.entries({ ...query, service: undefined }).map(([name, value]) =>
        value && <input key={name} type="hidden" name={name} value={value} />
      )}
      <label for="service" class={FIELD_LABEL}>{text.service}</label>
      <div class="flex max-w-[44rem] flex-wrap gap-3">
        <input
          id="service"
          name="service"
          type="url"
          placeholder="https://"
          autoComplete="off"
          defaultValue={typed}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? "service-problem service-hint" : "service-hint"}
          class={`${TEXT_FIELD} min-w-0 flex-[1_1_14rem]`}
        />
        <button type="submit" class={QUIET_BUTTON} formNoValidate>{text.fillIn}</button>
      </div>
      {isWrong && <p id="service-problem" role="alert" class={FIELD_PROBLEM}>{text.serviceProblem}</p>}
      <p id="service-hint" class={`${FIELD_HINT} max-w-[64ch]`}>{text.serviceHint}</p>
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
  const { text, t, messages } = useTexts(texts);
  const picture = `${service}${service.includes("?") ? "&" : "?"}url=${encodeURIComponent(url)}`;
  const codes = [
    ["url", url],
    ["markdown", `![${label}](${picture.replaceAll("(", "%28").replaceAll(")", "%29")})`],
    ["html", `<img src="${escapeHtml(picture)}" alt="${label}">`],
  ] as const;
  return (
    <li class="grid gap-x-8 gap-y-3 border-b border-rule py-5 md:grid-cols-[9rem_minmax(0,1fr)]">
      <div>
        <h3 class="mb-2 text-small font-strong">{name}</h3>
        <BadgeImage
          label={label}
          message={message}
          title={t(text.badgeSays, { label, message })}
        />
      </div>
      <dl class="grid min-w-0 gap-3">
        {codes.map(([kind, content]) => (
          <div
            key={kind}
            class="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto]"
          >
            <dt class="text-small text-soft">{text.badgeTexts[kind]}</dt>
            <dd class="min-w-0">
              <code class="block font-mono text-tiny break-all select-all">{content}</code>
            </dd>
            <dd>
              <CopyText
                text={content}
                label={messages.common.copy}
                about={t(text.copyOf, { what: text.badgeTexts[kind], name })}
                done={messages.common.copied}
              />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

interface BadgeImageProps {
  readonly label: string;
  readonly message: string;
  /** Text alternative. */
  readonly title: string;
}

/** Approximate width of a letter, padding beside a text, and height, in SVG units. */
const LETTER = 6.6;
const SPACE = 7;
const HEIGHT = 20;

/** Renders a badge in the layout of badge services, with its English text in this server's colors. */
function BadgeImage({ label, message, title }: BadgeImageProps) {
  const left = widthOf(label);
  const right = widthOf(message);
  const width = left + right;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width * 1.2}
      height={HEIGHT * 1.2}
      role="img"
      aria-label={title}
      class="max-w-full font-sans"
      font-size="11"
      text-anchor="middle"
    >
      <rect width={width} height={HEIGHT} rx="3.5" class="fill-ink" />
      <path
        d={`M${left} 0h${right - 3.5}a3.5 3.5 0 0 1 3.5 3.5v13a3.5 3.5 0 0 1 -3.5 3.5h-${right - 3.5}z`}
        class="fill-accent"
      />
      <text lang="en" x={left / 2} y="14" class="fill-paper">{label}</text>
      <text lang="en" x={left + right / 2} y="14" class="fill-paper" font-weight="550">{message}</text>
    </svg>
  );
}

function widthOf(text: string): number {
  return Math.round(2 * SPACE + text.length * LETTER);
}
