import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelsData, ListedChannel } from "@/lib/admin/channels/channels_page.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Pagination } from "../Pagination.tsx";
import { ChannelFilter } from "./ChannelFilter.tsx";
import { channelsPath } from "./channels_path.ts";
import { Link } from "../../Link.tsx";

/** Renders the list of channels with its filter. */
export function ChannelsPage({ data }: AdminPageData<ChannelsData>) {
  const { messages } = useAdmin();
  const text = messages.channels;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={<Link class={PRIMARY_BUTTON} href="/admin/channels/new">{text.newChannel}</Link>}
      />
      {data.total === 0
        ? (
          <EmptyState title={text.empty}>
            {text.emptyAdvice} <Link class="link" href="/admin/channels/new">{text.emptyLink}</Link>.
          </EmptyState>
        )
        : <ChannelList data={data} />}
    </>
  );
}

function ChannelList({ data }: { data: ChannelsData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  const { view, channels, count, from } = data;
  return (
    <section aria-label={text.listTitle}>
      <ChannelFilter view={view} />
      {channels.length === 0
        ? (
          <EmptyState title={text.nothing}>
            {text.nothingAdvice} <Link class="link" href="/admin/channels?state=all">{text.showEvery}</Link>.
          </EmptyState>
        )
        : <ChannelTable data={data} />}
      <Pagination
        label={text.pages}
        range={formatter.t(text.range, { from: from + 1, to: from + channels.length, count })}
        previous={view.page > 1 ? channelsPath(view, { page: view.page - 1 }) : null}
        next={data.hasMore ? channelsPath(view, { page: view.page + 1 }) : null}
        isEmpty={channels.length === 0}
      />
    </section>
  );
}

function ChannelTable({ data: { view, channels } }: { data: ChannelsData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  const sortable = (sort: "name" | "subscribers") => {
    const isSorted = view.sort === sort;
    const isDescending = isSorted ? !view.isDescending : sort === "subscribers";
    return {
      sortPath: channelsPath(view, { sort, isDescending, page: 1 }),
      sorted: isSorted ? (view.isDescending ? "descending" : "ascending") : undefined,
    } as const;
  };
  const columns = [
    { title: text.name, ...sortable("name") },
    { title: text.kind },
    { title: text.folder },
    { title: text.subscribers, isAtEnd: true, ...sortable("subscribers") },
  ];
  const rows = channels.map((channel) => ({
    id: String(channel.id),
    isFaint: channel.isArchived,
    cells: [
      <ChannelName key="name" channel={channel} />,
      <span key="kind" class="text-small">{text.kinds[channel.kind]}</span>,
      <bdi key="folder" class="min-w-0 break-words text-small">{channel.folder ?? "–"}</bdi>,
      formatter.number(channel.subscriberCount),
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

function ChannelName({ channel }: { channel: ListedChannel }) {
  const { messages } = useAdmin();
  const marks = [
    ...(channel.isDefault ? [messages.channels.defaultMark] : []),
    ...(channel.isArchived ? [messages.channels.archivedMark] : []),
  ];
  return (
    <div class="min-w-0 max-w-[34rem] text-start">
      <Link class="link font-strong break-words" href={`/admin/channels/${channel.id}`}>
        <bdi>#{channel.name}</bdi>
      </Link>
      {marks.map((mark) => <span key={mark} class="ms-2 text-small text-soft">{mark}</span>)}
      {channel.description !== "" && (
        <p
          dir="auto"
          title={channel.description}
          class="line-clamp-3 text-small text-soft @min-[48rem]:line-clamp-1 @min-[48rem]:break-all"
        >
          {channel.description}
        </p>
      )}
    </div>
  );
}
