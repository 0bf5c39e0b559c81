import { type ChartRange, type ChartUnit, MAX_RANGE_DAYS } from "./time_chart.ts";
import { FIELD_LABEL, FIELD_PROBLEM, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { Link } from "@/components/Link.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import type { QueryValues } from "@/lib/admin/query.ts";
import { Choices, pageQuery } from "./BarTable.tsx";

const PERIODS = {
  "2": "48 hours",
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
  "365": "1 year",
  all: "All",
};
const GROUPINGS = { hour: "Hour", day: "Day", week: "Week", month: "Month" };
const REFUSED = {
  one: "Enter the first and last day of a period of up to {count} day. The last 30 days are shown.",
  other: "Enter the first and last day of a period of up to {count} days. The last 30 days are shown.",
};

const MIXED_ZONES = "Days and hours of the chart are in UTC, other times in the time zone {zone}.";

/** Choices of the controls of a chart. */
interface RangeControlsProps {
  readonly range: ChartRange;
  /** Unit of the chart's points. */
  readonly unit: ChartUnit;
  /** Other parameters of the page's query. */
  readonly others?: QueryValues;
  /** Id of the part of the page with the chart. */
  readonly part: string;
  /** Whether the page also shows times in the user's time zone. */
  readonly hasLocalTimes?: boolean;
}

/** Renders the choice of the period and of the unit of the points, whose sums are stored by hours and days of UTC. */
export function RangeControls(props: RangeControlsProps) {
  const { t } = useAdmin();
  const { range, unit, others, part } = props;
  const query = { ...others, ...range.query };
  const unitLinks = range.units.map((one) => ({
    name: t(GROUPINGS[one]),
    path: pageQuery({ ...query, by: one }, part),
    isChosen: one === unit,
  }));
  const periodLinks = range.periods.map((period) => ({
    name: t(PERIODS[period]),
    path: pageQuery(
      { ...others, by: range.grouping, days: period === "30" ? null : period },
      part,
    ),
    isChosen: period === range.period,
    period,
  }));
  return (
    <div class="mb-4">
      <div class="flex flex-wrap gap-x-8">
        <Choices label={t("Period")} links={periodLinks} />
        <Choices label={t("Group by")} links={unitLinks} />
      </div>
      <CustomRange {...props} />
      <TimeZones hasLocalTimes={props.hasLocalTimes ?? false} />
    </div>
  );
}

/** Names the time zone of the chart, and that of other times in place of the frame's sentence. */
function TimeZones({ hasLocalTimes }: { hasLocalTimes: boolean }) {
  const { t, timeZone } = useAdmin();
  const isMixed = hasLocalTimes && timeZone !== "UTC";
  return (
    <p data-zones class="text-small text-soft">
      {t(isMixed ? MIXED_ZONES : "Days and hours are in UTC.", { zone: timeZone.replaceAll("_", " ") })}{" "}
      {hasLocalTimes && <Link class="link" href="/account#time-zone">{t("Change")}</Link>}
    </p>
  );
}

/** Renders the form for chosen days; it is open while they are shown or refused. */
function CustomRange({ range, others = {}, part }: RangeControlsProps) {
  const { t } = useAdmin();
  const problemId = `${part}-range-problem`;
  const fields = [["from", t("From")], ["to", t("To")]] as const;
  return (
    <details open={range.period === "custom" || range.isRefused} class="text-small">
      <summary class="link inline-flex min-h-9 w-fit items-center font-medium">{t("Choose dates")}</summary>
      <form action={`#${part}`} class="mt-1 mb-3 flex flex-wrap items-end gap-3">
        {Object.entries({ ...others, by: range.grouping }).map(([name, value]) =>
          value && <input key={name} type="hidden" name={name} value={value} />
        )}
        {fields.map(([name, label]) => (
          <label key={name} class="grid gap-y-1.5">
            <span class={FIELD_LABEL}>{label}</span>
            <input
              type="date"
              data-utc
              name={name}
              defaultValue={range.typed[name]}
              required
              aria-invalid={range.isRefused ? "true" : undefined}
              aria-describedby={range.isRefused ? problemId : undefined}
              class={TEXT_FIELD}
            />
          </label>
        ))}
        <button type="submit" class={QUIET_BUTTON}>{t("Show")}</button>
      </form>
      {range.isRefused && (
        <p id={problemId} role="alert" class={FIELD_PROBLEM}>
          {t(REFUSED, { count: MAX_RANGE_DAYS })}
        </p>
      )}
    </details>
  );
}
