import { omit } from "es-toolkit/object/omit";
import { FILE_KINDS, MESSAGE_KINDS } from "@/lib/chat/organization/statistics/store.ts";
import { BarTable, Choices, pageQuery } from "@/lib/admin/charts/BarTable.tsx";
import { ChartSection, type ChartSectionProps, CsvLink } from "@/lib/admin/charts/ChartSection.tsx";
import { type ChartLabels, NOUNS, useCountLabels, useUtcDates } from "@/lib/admin/charts/chart_labels.ts";
import { RangeControls } from "@/lib/admin/charts/RangeControls.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { INVITE_PATH } from "@/components/admin/shell/nav_items.ts";
import { Link } from "@/components/Link.tsx";
import { formatBytes, unitOfBytes } from "@/lib/ui/format_bytes.ts";
import { type ActivityData, type ChartWithParts, loadActivity } from "../activity/activity_data.ts";
import type { TimeChart } from "../charts/time_chart.ts";
import { adminPage, useTexts } from "../declare/page.tsx";
import { withQuery } from "../query.ts";
import { CHANNEL_KIND_NAMES, kindOf } from "./channels/channel_kind.ts";

/** Texts of charts by section: of the sums, and of their parts. */
const texts = {
  messages: {
    title: { day: "Messages by day", week: "Messages by week" },
    advice: "Messages count on the day they are sent, even if they are moved or deleted later.",
    column: "Messages",
    parts: {
      public: "Public channels",
      private: "Private channels",
      direct: "Direct messages",
      group: "Group direct messages",
    },
    table: { caption: "Messages by kind", name: "Kind of messages", figure: "Messages" },
  },
  active: {
    title: { day: "Active users by day", week: "Active users by week" },
    advice: "Users count on each day on which they send, read or change something or use a page.",
    column: "Active users",
    average: {
      day: { one: "On average {count} active user a day", other: "On average {count} active users a day" },
      week: { one: "On average {count} active user a week", other: "On average {count} active users a week" },
    },
    hint:
      "Users who send, read or change something or use a page count; bots do not. Weeks count each user once.",
    presenceOff: "This organization does not store presence, so active users are not counted.",
  },
  joining: {
    title: { day: "New users by day", week: "New users by week" },
    advice: "New users appear here, however they joined.",
    column: "Joined",
    parts: {
      joined: "Joined",
      invited: "Invited by email address",
      accepted: "Joined by email invitation",
      linked: "Joined by invitation link",
    },
    table: { caption: "Invitations and new users", name: "Step", figure: "Users" },
  },
  files: {
    title: { day: "Uploaded files by day", week: "Uploaded files by week" },
    advice: "The size of new files appears here.",
    column: "Uploaded",
    parts: {
      image: "Images",
      video: "Videos",
      audio: "Audio",
      document: "Documents",
      other: "Other files",
      removed: "Removed",
    },
  },
};

/** Id of the part of the page with the charts. */
const PART = "charts";

/** The activity of the organization over a period. */
export const activityPage = adminPage({
  path: "/admin/activity",
  load: loadActivity,
  title: "Activity",
  find: { words: "charts messages statistics analytics usage reports" },
  lede:
    "Messages, users, files and invitations of this organization by day. Message texts are not evaluated.",
  view: ({ data }) => {
    const sections = {
      messages: MessageSection,
      active: ActiveSection,
      channels: ChannelSection,
      joining: JoiningSection,
      files: FileSection,
    };
    return (
      <div id={PART}>
        <div class="mb-8">
          <RangeControls
            range={data.range}
            unit={data.messages.chart.unit}
            others={{ kind: data.kind }}
            part={PART}
          />
        </div>
        {Object.entries(sections).map(([id, Section]) => {
          const csvPath = withQuery("/admin/activity/export", { ...data.range.query, what: id });
          return <Section key={id} id={id} data={data} csvPath={csvPath} />;
        })}
      </div>
    );
  },
});

interface SectionProps {
  readonly id: string;
  readonly data: ActivityData;
  readonly csvPath: string;
}

/** Renders the messages over time, of all kinds or one, and their number by kind. */
function MessageSection({ data: { messages: { chart, parts }, kind, range }, ...section }: SectionProps) {
  const { text: { messages: text }, t } = useTexts(texts);
  return (
    <ActivityChart
      {...section}
      of={text}
      labels={useCountLabels(NOUNS.messages)}
      chart={kind === null ? chart : parts[kind] ?? chart}
      parts={parts}
      {...(kind === null ? {} : { column: text.parts[kind], columns: {} })}
      controls={
        <Choices
          label={text.table.name}
          links={[null, ...MESSAGE_KINDS].map((one) => ({
            name: one === null ? t("All") : text.parts[one],
            path: pageQuery({ ...range.query, kind: one }, section.id),
            isChosen: one === kind,
          }))}
        />
      }
    />
  );
}

/**
 * Renders the active users of each day or week. A user of several days is in several sums, so the summary is about
 * averages rather than totals.
 */
function ActiveSection({ data: { active: chart }, ...section }: SectionProps) {
  const { text: { active: text }, t } = useTexts(texts);
  const labels = useCountLabels(NOUNS.active);
  if (chart === null) {
    return (
      <section aria-labelledby="active-title" class="mb-12" id={section.id}>
        <h2 id="active-title">{text.title.day}</h2>
        <p class="mt-2 max-w-[60ch] text-soft">{text.presenceOff}</p>
      </section>
    );
  }
  const count = Math.round(chart.total / chart.points.length * 10) / 10;
  const amount = t(text.average[toTitleUnit(chart)], { count });
  return (
    <ActivityChart {...section} of={text} labels={labels} chart={chart} amount={amount} hint={text.hint} />
  );
}

/** Renders the channels with most messages. */
function ChannelSection({ id, data: { channels: { channels, since } }, csvPath }: SectionProps) {
  const { t, formatter } = useTexts(null);
  const dates = useUtcDates({ unit: "day" });
  const title = t("Most active channels");
  return (
    <section aria-labelledby="channels-title" class="mb-12" id={id}>
      <h2 id="channels-title">{title}</h2>
      <p class="mt-1 mb-3 max-w-[70ch] text-small text-soft">
        {t("A message counts in the channel it was sent to, even if it is moved later.")} {since !== null &&
          t("There are very many active channels, so this list counts from {date}.", { date: dates(since) })}
      </p>
      {channels.length === 0
        ? (
          <EmptyState title={t("No messages to channels in this period.")}>
            {t("Channels with the most messages appear here.")}
          </EmptyState>
        )
        : (
          <>
            <BarTable
              caption={title}
              titles={{ name: t("Channel"), bar: t("Comparison"), figure: t("Messages") }}
              rows={channels.map(({ channel, count }) => ({
                id: String(channel.id),
                name: (
                  <>
                    <Link
                      class="link inline-flex min-h-6 items-center"
                      href={`/admin/channels/${channel.id}`}
                    >
                      <bdi>{channel.name}</bdi>
                    </Link>{" "}
                    <span class="text-small text-soft">
                      {t(CHANNEL_KIND_NAMES[kindOf(channel)])}
                      {channel.is_archived && `, ${t("archived")}`}
                    </span>
                  </>
                ),
                count,
                figure: formatter.number(count),
              }))}
            />
            <CsvLink path={csvPath} about={title} />
          </>
        )}
    </section>
  );
}

/** Renders the new users over time, and the invitations of the period. */
function JoiningSection({ data: { joining: { chart, parts } }, ...section }: SectionProps) {
  const { text: { joining: text }, t } = useTexts(texts);
  return (
    <ActivityChart
      {...section}
      of={text}
      labels={useCountLabels(NOUNS.joined)}
      chart={chart}
      parts={parts}
      columns={omit(parts, ["joined"])}
      advice={
        <>
          {text.advice} <Link class="link" href={INVITE_PATH}>{t("Invite people")}</Link>
        </>
      }
    />
  );
}

/** Renders the size of uploaded files over time, and the stored size by kind. */
function FileSection({ data: { files: { chart, parts }, stored }, ...section }: SectionProps) {
  const { text: { files: text }, t } = useTexts(texts);
  const toSize = (bytes: number) => formatBytes(t, bytes);
  const most = Math.max(1, ...chart.points.map(({ count }) => count), ...chart.beforeCounts);
  const title = t("Storage by kind");
  return (
    <ActivityChart
      {...section}
      of={text}
      chart={chart}
      columns={parts}
      labels={{
        amount: toSize,
        figure: toSize,
        none: t("No files were uploaded in this period."),
        scale: unitOfBytes(most),
      }}
      amount={t("{amount} uploaded", { amount: toSize(chart.total) })}
    >
      <h3 class="mt-6 mb-2">{title}</h3>
      <BarTable
        caption={title}
        titles={{ name: t("Kind of file"), bar: t("Comparison"), figure: t("Size") }}
        rows={FILE_KINDS.map((kind) => ({
          id: kind,
          name: text.parts[kind],
          count: stored[kind],
          figure: toSize(stored[kind]),
        }))}
      />
    </ActivityChart>
  );
}

function toTitleUnit({ unit }: TimeChart): "day" | "week" {
  return unit === "week" ? "week" : "day";
}

type Parts = ChartWithParts["parts"];

interface ActivityChartProps extends Partial<Omit<ChartSectionProps, "columns" | "title">> {
  readonly labels: ChartLabels;
  readonly id: string;
  readonly chart: TimeChart;
  readonly of: {
    readonly title: { readonly day: string; readonly week: string };
    readonly advice: string;
    readonly column: string;
    /** Titles of the parts by name. */
    readonly parts?: Readonly<Record<string, string>>;
    readonly table?: { readonly caption: string; readonly name: string; readonly figure: string };
  };
  /** Parts whose totals are listed below the chart. */
  readonly parts?: Parts;
  /** Parts that are columns of the chart's table; those below the chart by default. */
  readonly columns?: Parts;
}

/** Renders a chart of the activity with its parts; those of which all totals are 0 are not listed. */
function ActivityChart({ of, chart, parts = {}, columns = parts, ...props }: ActivityChartProps) {
  const { t, formatter } = useTexts(null);
  const titleOf = (part: string) => of.parts?.[part] ?? part;
  const isEmpty = Object.values(parts).every(({ total }) => total === 0);
  return (
    <ChartSection
      title={of.title[toTitleUnit(chart)]}
      chart={chart}
      column={of.column}
      columns={Object.entries(columns).map(([part, { points }]) => ({
        title: titleOf(part),
        counts: points.map(({ count }) => count),
      }))}
      advice={of.advice}
      {...props}
    >
      {props.children}
      {of.table !== undefined && !isEmpty && (
        <div class="mt-4">
          <BarTable
            caption={of.table.caption}
            titles={{ name: of.table.name, bar: t("Comparison"), figure: of.table.figure }}
            rows={Object.entries(parts).map(([part, { total }]) => ({
              id: part,
              name: titleOf(part),
              count: total,
              figure: formatter.number(total),
            }))}
          />
        </div>
      )}
    </ChartSection>
  );
}
