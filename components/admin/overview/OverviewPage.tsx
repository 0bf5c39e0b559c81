import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OverviewData } from "@/lib/admin/overview/overview_page.ts";
import { useAdmin } from "../admin_view.ts";
import { ActionButton } from "../ActionButton.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { FormProblem } from "../FormProblem.tsx";
import { ChangeList } from "./ChangeList.tsx";
import { FigureList } from "./FigureList.tsx";
import { ProblemList } from "./ProblemList.tsx";
import { SetupStrip } from "./SetupStrip.tsx";

/** Renders the first admin page: first steps that are left, figures, problems and the latest changes. */
export function OverviewPage({ data, refused }: AdminPageData<OverviewData>) {
  const { realm, messages, formatter } = useAdmin();
  const text = messages.overview;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={formatter.t(text.lede, { organization: realm.name })}
        actions={data.hasHiddenSteps && (
          <ActionButton action="show_steps" fields={{}}>{text.showSteps}</ActionButton>
        )}
      />
      <FormProblem problem={refused?.problems["form"]} margin="mb-6" />
      {data.steps !== null && (
        <div class="mb-10">
          <SetupStrip steps={data.steps} address={data.address} serverUrl={data.serverUrl} />
        </div>
      )}
      <FigureList figures={data.figures} />
      <div class="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-10 lg:grid-cols-2">
        <ProblemList problems={data.problems} />
        <ChangeList changes={data.changes} now={data.now} />
      </div>
    </>
  );
}
