import { omit } from "es-toolkit/object/omit";
import { FILE_KINDS, MESSAGE_KINDS } from "@/lib/chat/organization/statistics/store.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import {
  BarTable,
  Choices,
  pageQuery,
  type QueryValues,
  toQuery,
} from "@/components/admin/charts/BarTable.tsx";
import { type ChartColumn, ChartSection, CsvLink } from "@/components/admin/charts/ChartSection.tsx";
import { useCountWords, useUtcDates } from "@/components/admin/charts/chart_words.ts";
import { RangeControls, rangeQuery } from "@/components/admin/charts/RangeControls.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { INVITE_PATH } from "@/components/admin/shell/nav_items.ts";
import { Link } from "@/components/Link.tsx";
import { formatBytes, unitOfBytes } from "@/lib/ui/format_bytes.ts";
import { type ActivityData, type ChartWithParts, loadActivity } from "../activity/activity_data.ts";
import type { TimeChart } from "../charts/time_chart.ts";
import { adminPage } from "../declare/page.tsx";
import { kindOf } from "./channels/channel_kind.ts";

/** Id of the part of the page with the charts. */
const PART = "charts";

/** The activity of the organization over a period. */
export const activityPage = adminPage({
  path: "/admin/activity",
  load: loadActivity,
  title: "Activity",
  find: { words: "charts messages statistics" },
  lede: (_, __, { activity }) => activity.lede,
  view: ({ data }) => {
    const query: QueryValues = { ...rangeQuery(data.range), kind: data.kind ?? undefined };
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
          <RangeControls range={data.range} unit={data.messages.chart.unit} query={query} part={PART} />
        </div>
        {Object.entries(sections).map(([id, Section]) => {
          const csvPath = `/admin/activity/export?${toQuery({ ...query, kind: undefined, what: id })}`;
          return <Section key={id} id={id} data={data} query={query} csvPath={csvPath} />;
        })}
      </div>
    );
  },
});

interface SectionProps {
  readonly id: string;
  readonly data: ActivityData;
  readonly query: QueryValues;
  readonly csvPath: string;
}

/** Renders the messages over time, of all kinds or one, and their number by kind. */
function MessageSection({ id, data: { messages: { chart, parts }, kind }, query, csvPath }: SectionProps) {
  const { messages: { activity: text } } = useAdmin();
  const words = useCountWords(text.messages, text.noMessages);
  return (
    <ChartSection
      id={id}
      title={text.messagesTitle[toTitleUnit(chart)]}
      chart={chart}
      words={words}
      column={kind === null ? text.messagesColumn : text.kinds[kind]}
      columns={kind === null ? countsOf(parts, text.kinds) : []}
      controls={
        <Choices
          label={text.kind}
          links={[null, ...MESSAGE_KINDS].map((one) => ({
            name: one === null ? text.anyKind : text.kinds[one],
            path: pageQuery({ ...query, kind: one ?? undefined }, id),
            isChosen: one === kind,
          }))}
        />
      }
      advice={text.noMessagesAdvice}
      csvPath={csvPath}
    >
      <PartTable
        caption={text.kindsCaption}
        name={text.kind}
        figure={text.messagesColumn}
        parts={parts}
        titles={text.kinds}
      />
    </ChartSection>
  );
}

/**
 * Renders the active people of each day or week. A person of several days is in several sums, so the summary is about
 * averages rather than totals.
 */
function ActiveSection({ id, data: { active: chart }, csvPath }: SectionProps) {
  const { messages: { activity: text }, formatter } = useAdmin();
  const words = useCountWords(text.active, text.noActive);
  if (chart === null) {
    return (
      <section aria-labelledby="active-title" class="mb-12" id={id}>
        <h2 id="active-title">{text.activeTitle.day}</h2>
        <p class="mt-2 max-w-[60ch] text-soft">{text.presenceOff}</p>
      </section>
    );
  }
  const unit = toTitleUnit(chart);
  const average = Math.round(chart.total / chart.places.length * 10) / 10;
  return (
    <ChartSection
      id={id}
      title={text.activeTitle[unit]}
      chart={chart}
      words={words}
      amount={formatter.t(text.activeAverage[unit], { count: average })}
      hint={text.activeHint}
      column={text.activeColumn}
      advice={text.noActiveAdvice}
      csvPath={csvPath}
    />
  );
}

/** Renders the channels with most messages. */
function ChannelSection({ id, data: { channels: { channels, since } }, csvPath }: SectionProps) {
  const { messages: { activity: text, channels: { kinds } }, formatter } = useAdmin();
  const dates = useUtcDates({ unit: "day" });
  return (
    <section aria-labelledby="channels-title" class="mb-12" id={id}>
      <h2 id="channels-title">{text.channelsTitle}</h2>
      <p class="mt-1 mb-3 max-w-[70ch] text-small text-soft">
        {text.channelsHint} {since !== null && formatter.t(text.channelsSince, { date: dates(since) })}
      </p>
      {channels.length === 0 ? <EmptyState title={text.noChannels}>{text.noChannelsAdvice}</EmptyState> : (
        <>
          <BarTable
            caption={text.channelsTitle}
            titles={{ name: text.channel, bar: text.comparison, figure: text.messagesColumn }}
            rows={channels.map(({ channel, count }) => ({
              id: String(channel.id),
              name: (
                <>
                  <Link class="link inline-flex min-h-6 items-center" href={`/admin/channels/${channel.id}`}>
                    <bdi>{channel.name}</bdi>
                  </Link>{" "}
                  <span class="text-small text-soft">
                    {kinds[kindOf(channel)]}
                    {channel.is_archived && `, ${text.archived}`}
                  </span>
                </>
              ),
              count,
              figure: formatter.number(count),
            }))}
          />
          <CsvLink path={csvPath} about={text.channelsTitle} />
        </>
      )}
    </section>
  );
}

/** Renders the new people over time, and the invitations of the period. */
function JoiningSection({ id, data: { joining: { chart, parts } }, csvPath }: SectionProps) {
  const { messages: { activity: text } } = useAdmin();
  const words = useCountWords(text.joined, text.noJoined);
  return (
    <ChartSection
      id={id}
      title={text.joiningTitle[toTitleUnit(chart)]}
      chart={chart}
      words={words}
      column={text.joiningSteps.joined}
      columns={countsOf(omit(parts, ["joined"]), text.joiningSteps)}
      advice={
        <>
          {text.noJoinedAdvice} <Link class="link" href={INVITE_PATH}>{text.toInvitations}</Link>
        </>
      }
      csvPath={csvPath}
    >
      <PartTable
        caption={text.stepsCaption}
        name={text.step}
        figure={text.people}
        parts={parts}
        titles={text.joiningSteps}
      />
    </ChartSection>
  );
}

/** Renders the size of uploaded files over time, and the stored size by kind. */
function FileSection({ id, data: { files: { chart, parts }, stored }, csvPath }: SectionProps) {
  const { messages: { activity: text, organization }, formatter } = useAdmin();
  const toSize = (bytes: number) => formatBytes(formatter, organization.bytes, bytes);
  const most = Math.max(1, ...chart.places.map(({ count }) => count), ...chart.beforeCounts);
  return (
    <ChartSection
      id={id}
      title={text.filesTitle[toTitleUnit(chart)]}
      chart={chart}
      words={{ amount: toSize, figure: toSize, none: text.noFiles, scale: unitOfBytes(most) }}
      amount={formatter.t(text.uploaded, { amount: toSize(chart.total) })}
      column={text.filesColumn}
      columns={countsOf(parts, { ...text.fileKinds, removed: text.removed })}
      advice={text.noFilesAdvice}
      csvPath={csvPath}
    >
      <h3 class="mt-6 mb-2">{text.storageTitle}</h3>
      <BarTable
        caption={text.storageTitle}
        titles={{ name: text.storageKind, bar: text.comparison, figure: text.size }}
        rows={FILE_KINDS.map((kind) => ({
          id: kind,
          name: text.fileKinds[kind],
          count: stored[kind],
          figure: toSize(stored[kind]),
        }))}
      />
    </ChartSection>
  );
}

function toTitleUnit({ unit }: Pick<TimeChart, "unit">): "day" | "week" {
  return unit === "week" ? "week" : "day";
}

interface PartTableProps extends Pick<ChartWithParts, "parts"> {
  readonly caption: string;
  /** Headings of the names and the figures. */
  readonly name: string;
  readonly figure: string;
  /** Titles of the parts by name. */
  readonly titles: Readonly<Record<string, string>>;
}

/** Renders the totals of the parts of a chart; nothing while all are 0. */
function PartTable({ caption, name, figure, parts, titles }: PartTableProps) {
  const { messages: { activity: text }, formatter } = useAdmin();
  if (Object.values(parts).every(({ total }) => total === 0)) return null;
  return (
    <div class="mt-4">
      <BarTable
        caption={caption}
        titles={{ name, bar: text.comparison, figure }}
        rows={Object.entries(parts).map(([id, { total }]) => ({
          id,
          name: titles[id] ?? id,
          count: total,
          figure: formatter.number(total),
        }))}
      />
    </div>
  );
}

/** Returns the columns of the parts of a chart. */
function countsOf(
  parts: ChartWithParts["parts"],
  titles: Readonly<Record<string, string>>,
): readonly ChartColumn[] {
  return Object.entries(parts).map(([name, { places }]) => ({
    title: titles[name] ?? name,
    counts: places.map(({ count }) => count),
  }));
}
