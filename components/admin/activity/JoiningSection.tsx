import type { ChartWithParts } from "@/lib/admin/activity/activity_charts.ts";
import { useAdmin } from "../admin_view.ts";
import { BarTable } from "../charts/BarTable.tsx";
import { ChartSection } from "../charts/ChartSection.tsx";
import type { ChartWords } from "../charts/chart_words.ts";
import { INVITE_PATH } from "../shell/nav_items.ts";
import { Link } from "../../Link.tsx";
import { countsOf, Summary, toTitleUnit } from "./section_parts.tsx";

interface JoiningSectionProps {
  readonly joining: ChartWithParts;
  readonly csvPath: string;
}

/** Renders the new people over time, and the invitations of the period. */
export function JoiningSection({ joining: { chart, parts }, csvPath }: JoiningSectionProps) {
  const { messages: { activity: text }, formatter } = useAdmin();
  const words: ChartWords = {
    amount: (count) => formatter.t(text.joined, { count }),
    figure: formatter.number,
    none: text.noJoined,
  };
  const titles: Readonly<Record<string, string>> = text.joiningSteps;
  const invitations = parts.filter(({ name }) => name !== "joined");
  return (
    <ChartSection
      id="joining"
      title={text.joiningTitle[toTitleUnit(chart)]}
      chart={chart}
      words={words}
      summary={<Summary chart={chart} amount={words.amount(chart.total)} />}
      column={titles["joined"] ?? ""}
      columns={countsOf(invitations, titles)}
      advice={
        <>
          {text.noJoinedAdvice} <Link class="link" href={INVITE_PATH}>{text.toInvitations}</Link>
        </>
      }
      csvPath={csvPath}
    >
      {parts.some((part) => part.chart.total > 0) && <StepTable parts={parts} />}
    </ChartSection>
  );
}

function StepTable({ parts }: Pick<ChartWithParts, "parts">) {
  const { messages: { activity: text }, formatter } = useAdmin();
  const titles: Readonly<Record<string, string>> = text.joiningSteps;
  return (
    <div class="mt-4">
      <BarTable
        caption={text.stepsCaption}
        titles={{ name: text.step, bar: text.comparison, figure: text.people }}
        rows={parts.map(({ name, chart: { total } }) => ({
          id: name,
          name: titles[name] ?? name,
          count: total,
          figure: formatter.number(total),
        }))}
      />
    </div>
  );
}
