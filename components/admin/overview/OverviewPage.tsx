import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OverviewData } from "@/lib/admin/overview/overview_page.ts";
import { useAdmin } from "../admin_view.ts";
import { ActionButton } from "../ActionButton.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { FormProblem } from "../FormProblem.tsx";
import { Link } from "../../Link.tsx";
import { FigureList } from "./FigureList.tsx";
import { SetupSteps } from "./SetupSteps.tsx";

/** Renders the first admin page: first steps of a new organization, or figures and problems. */
export function OverviewPage({ data, refused }: AdminPageData<OverviewData>) {
  const { realm, messages, formatter } = useAdmin();
  const text = messages.overview;
  return (
    <>
      <AdminHeading title={text.title} lede={formatter.t(text.lede, { organization: realm.name })} />
      <FormProblem problem={refused?.problems["form"]} margin="mb-6" />
      {data.steps === null
        ? (
          <>
            <FigureList figures={data.figures} />
            <Problems problems={data.problems} />
            {data.hasHiddenSteps && (
              <div class="mt-8">
                <ActionButton action="show_steps" fields={{}}>{text.showSteps}</ActionButton>
              </div>
            )}
          </>
        )
        : <SetupSteps steps={data.steps} address={data.address} serverUrl={data.serverUrl} />}
    </>
  );
}

function Problems({ problems }: Pick<OverviewData, "problems">) {
  const { messages, formatter } = useAdmin();
  const text = messages.overview;
  return (
    <section aria-labelledby="problems-title">
      <h2 id="problems-title">{text.problemsTitle}</h2>
      {problems.length === 0
        ? <p class="mt-3 text-good">{text.noProblems}</p>
        : (
          <ul class="mt-3 border-t border-rule">
            {problems.map(({ name, section, count = 0 }) => (
              <li
                key={name}
                class="flex flex-wrap items-center justify-between gap-x-8 border-b border-rule py-2"
              >
                <span>{formatter.t(text.problems[name], { count })}</span>
                <Link
                  class="link inline-flex min-h-8 items-center text-small font-medium"
                  href={`/admin/organization/status#${section}`}
                >
                  {text.toStatus}
                  <span class="sr-only">: {formatter.t(text.problems[name], { count })}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}
