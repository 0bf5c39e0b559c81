import type { ActivityData } from "@/lib/admin/activity/activity_page.ts";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { type QueryValues, toQuery } from "../charts/page_query.ts";
import { RangeControls, rangeQuery } from "../charts/RangeControls.tsx";
import { ActiveSection } from "./ActiveSection.tsx";
import { ChannelSection } from "./ChannelSection.tsx";
import { FileSection } from "./FileSection.tsx";
import { JoiningSection } from "./JoiningSection.tsx";
import { MessageSection } from "./MessageSection.tsx";

const PERIODS = ["7", "30", "90", "365"] as const;
const UNITS = ["day", "week"] as const;
/** Id of the part of the page with the charts. */
const PART = "charts";

/** Renders the activity of the organization over a period. */
export function ActivityPage({ data }: AdminPageData<ActivityData>) {
  const { messages } = useAdmin();
  const text = messages.activity;
  const query: QueryValues = { ...rangeQuery(data.range), kind: data.kind ?? undefined };
  const exportPath = (what: string) =>
    `/admin/activity/export?${toQuery({ ...query, kind: undefined, what })}`;
  return (
    <>
      <AdminHeading title={text.title} lede={text.lede} />
      <div id={PART}>
        <RangeControls
          range={data.range}
          unit={data.messages.chart.unit}
          periods={PERIODS}
          units={UNITS}
          query={query}
          part={PART}
        />
        <MessageSection data={data} query={query} csvPath={exportPath("messages")} />
        <ActiveSection active={data.active} csvPath={exportPath("active")} />
        <ChannelSection channels={data.channels} csvPath={exportPath("channels")} />
        <JoiningSection joining={data.joining} csvPath={exportPath("joining")} />
        <FileSection files={data.files} stored={data.stored} csvPath={exportPath("files")} />
      </div>
    </>
  );
}
