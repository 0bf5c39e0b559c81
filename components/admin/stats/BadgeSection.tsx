import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { ShownBadge } from "@/lib/admin/stats/stats_badges.ts";
import type { StatsData } from "@/lib/admin/stats/stats_page.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { BadgeImage } from "./BadgeImage.tsx";
import type { QueryValues } from "../charts/page_query.ts";

interface BadgeSectionProps {
  readonly data: StatsData;
  readonly query: QueryValues;
}

/** Renders the three badges with their current figures, and the markup to embed them. */
export function BadgeSection({ data, query }: BadgeSectionProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  return (
    <section aria-labelledby="badges-title" class="mb-10" id="badges">
      <h2 id="badges-title">{text.badgesTitle}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{formatter.t(text.badgesLede, { address: data.baseUrl })}</p>
      <Service data={data} query={query} />
      <ul class="mt-5 border-t border-rule">
        {data.badges.map((badge) => <BadgeRow key={badge.name} shown={badge} />)}
      </ul>
    </section>
  );
}

function Service({ data: { service }, query }: BadgeSectionProps) {
  const { messages } = useAdmin();
  const text = messages.stats;
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
          defaultValue={service.typed}
          aria-invalid={service.isWrong}
          aria-describedby={service.isWrong ? "service-problem service-hint" : "service-hint"}
          class={`${TEXT_FIELD} min-w-0 flex-[1_1_14rem]`}
        />
        <button type="submit" class={QUIET_BUTTON} formNoValidate>{text.fillIn}</button>
      </div>
      {service.isWrong && <p id="service-problem" role="alert" class={FIELD_PROBLEM}>{text.serviceProblem}
      </p>}
      <p id="service-hint" class={`${FIELD_HINT} max-w-[64ch]`}>{text.serviceHint}</p>
    </form>
  );
}

function BadgeRow({ shown }: { shown: ShownBadge }) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const { label, message } = shown.badge;
  const name = text.badges[shown.name];
  const texts = [["url", shown.url], ["markdown", shown.markdown], ["html", shown.html]] as const;
  return (
    <li class="grid gap-x-8 gap-y-3 border-b border-rule py-5 md:grid-cols-[9rem_minmax(0,1fr)]">
      <div>
        <h3 class="mb-2 text-small font-strong">{name}</h3>
        <BadgeImage
          label={label}
          message={message}
          title={formatter.t(text.badgeSays, { label, message })}
        />
      </div>
      <dl class="grid min-w-0 gap-3">
        {texts.map(([kind, content]) => (
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
                about={formatter.t(text.copyOf, { what: text.badgeTexts[kind], name })}
                done={messages.common.copied}
              />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
