import { adminPage } from "../declare/page.tsx";
import { loadActivity } from "../activity/activity_data.ts";
import { ActiveSection } from "@/components/admin/activity/ActiveSection.tsx";
import { ChannelSection } from "@/components/admin/activity/ChannelSection.tsx";
import { FileSection } from "@/components/admin/activity/FileSection.tsx";
import { JoiningSection } from "@/components/admin/activity/JoiningSection.tsx";
import { MessageSection } from "@/components/admin/activity/MessageSection.tsx";
import { RangeControls, rangeQuery } from "@/components/admin/charts/RangeControls.tsx";
import { type QueryValues, toQuery } from "@/components/admin/charts/page_query.ts";

const PERIODS = ["7", "30", "90", "365"] as const;
const UNITS = ["day", "week"] as const;
/** Id of the part of the page with the charts. */
const PART = "charts";

/** The activity of the organization over a period. */
export const activityPage = adminPage({
  path: "/admin/activity",
  load: loadActivity,
  title: (_, __, { activity }) => activity.title,
  find: { words: "charts messages statistics" },
  lede: (_, __, { activity }) => activity.lede,
  view: ({ data }) => {
    const query: QueryValues = { ...rangeQuery(data.range), kind: data.kind ?? undefined };
    const exportPath = (what: string) =>
      `/admin/activity/export?${toQuery({ ...query, kind: undefined, what })}`;
    return (
      <>
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
  },
});
