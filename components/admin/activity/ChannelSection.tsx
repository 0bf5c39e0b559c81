import type { BusiestChannels, BusyChannel } from "@/lib/admin/activity/busiest_channels.ts";
import { useAdmin } from "../admin_view.ts";
import { BarTable } from "../charts/BarTable.tsx";
import { CsvLink } from "../charts/ChartSection.tsx";
import { useUtcDates } from "../charts/chart_words.ts";
import { EmptyState } from "../EmptyState.tsx";
import { Link } from "../../Link.tsx";

interface ChannelSectionProps {
  readonly channels: BusiestChannels;
  readonly csvPath: string;
}

/** Renders the channels with most messages. */
export function ChannelSection({ channels: { channels, since }, csvPath }: ChannelSectionProps) {
  const { messages: { activity: text }, formatter } = useAdmin();
  const dates = useUtcDates({ unit: "day" });
  const titles = { name: text.channel, bar: text.comparison, figure: text.messagesColumn };
  const rows = channels.map((channel) => ({
    id: String(channel.id),
    name: <ChannelName channel={channel} />,
    count: channel.count,
    figure: formatter.number(channel.count),
  }));
  return (
    <section aria-labelledby="channels-title" class="mb-12" id="channels">
      <h2 id="channels-title">{text.channelsTitle}</h2>
      <p class="mt-1 mb-3 max-w-[70ch] text-small text-soft">
        {text.channelsHint} {since !== null && formatter.t(text.channelsSince, { date: dates(since) })}
      </p>
      {rows.length === 0 ? <EmptyState title={text.noChannels}>{text.noChannelsAdvice}</EmptyState> : (
        <>
          <BarTable caption={text.channelsTitle} titles={titles} rows={rows} />
          <CsvLink path={csvPath} about={text.channelsTitle} />
        </>
      )}
    </section>
  );
}

function ChannelName({ channel: { id, name, kind, isArchived } }: { channel: BusyChannel }) {
  const { messages } = useAdmin();
  return (
    <>
      <Link class="link inline-flex min-h-6 items-center" href={`/admin/channels/${id}`}>
        <bdi>{name}</bdi>
      </Link>{" "}
      <span class="text-small text-soft">
        {messages.channels.kinds[kind]}
        {isArchived && `, ${messages.activity.archived}`}
      </span>
    </>
  );
}
