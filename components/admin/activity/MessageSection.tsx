import type { ActivityData } from "@/lib/admin/activity/activity_data.ts";
import { useAdmin } from "../admin_view.ts";
import { BarTable } from "../charts/BarTable.tsx";
import { ChartSection } from "../charts/ChartSection.tsx";
import type { ChartWords } from "../charts/chart_words.ts";
import { Choices } from "../charts/Choices.tsx";
import { pageQuery, type QueryValues } from "../charts/page_query.ts";
import { countsOf, Summary, toTitleUnit } from "./section_parts.tsx";

/** Id of the section. */
const PART = "messages";

interface MessageSectionProps {
  readonly data: ActivityData;
  readonly query: QueryValues;
  readonly csvPath: string;
}

/** Renders the messages over time, of all kinds or one, and their number by kind. */
export function MessageSection({ data, query, csvPath }: MessageSectionProps) {
  const { messages: { activity: text }, formatter } = useAdmin();
  const { messages: { chart, parts }, kind } = data;
  const words: ChartWords = {
    amount: (count) => formatter.t(text.messages, { count }),
    figure: formatter.number,
    none: text.noMessages,
  };
  return (
    <ChartSection
      id={PART}
      title={text.messagesTitle[toTitleUnit(chart)]}
      chart={chart}
      words={words}
      summary={<Summary chart={chart} amount={words.amount(chart.total)} />}
      column={kind === null ? text.messagesColumn : text.kinds[kind]}
      columns={kind === null ? countsOf(parts, text.kinds) : []}
      controls={<Kinds chosen={kind} query={query} />}
      advice={text.noMessagesAdvice}
      csvPath={csvPath}
    >
      {parts.some((part) => part.chart.total > 0) && <KindTable data={data} />}
    </ChartSection>
  );
}

/** Renders the choice of the kind of messages that the chart shows. */
function Kinds({ chosen, query }: { chosen: ActivityData["kind"]; query: QueryValues }) {
  const { messages: { activity: text } } = useAdmin();
  const kinds = [null, "public", "private", "direct", "group"] as const;
  const links = kinds.map((kind) => ({
    name: kind === null ? text.anyKind : text.kinds[kind],
    path: pageQuery({ ...query, kind: kind ?? undefined }, PART),
    isChosen: kind === chosen,
  }));
  return <Choices label={text.kind} links={links} />;
}

function KindTable({ data: { messages: { parts } } }: { data: ActivityData }) {
  const { messages: { activity: text }, formatter } = useAdmin();
  return (
    <div class="mt-4">
      <BarTable
        caption={text.kindsCaption}
        titles={{ name: text.kind, bar: text.comparison, figure: text.messagesColumn }}
        rows={parts.map(({ name, chart: { total } }) => ({
          id: name,
          name: text.kinds[name],
          count: total,
          figure: formatter.number(total),
        }))}
      />
    </div>
  );
}
