import type { OverviewData } from "@/lib/admin/overview/overview_data.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

/** Renders what an administrator should act on, each with its page. */
export function ProblemList({ problems }: Pick<OverviewData, "problems">) {
  const { messages: { overview: text }, formatter } = useAdmin();
  return (
    <section aria-labelledby="problems-title">
      <h2 id="problems-title">{text.problemsTitle}</h2>
      {problems.length === 0
        ? <p class="mt-3 text-good">{text.noProblems}</p>
        : (
          <ul class="mt-3 border-t border-rule">
            {problems.map(({ name, path, count = 0 }) => (
              <li key={name} class="border-b border-rule py-2.5">
                <p>{formatter.t(text.problems[name], { count })}</p>
                <Link class="link inline-flex min-h-6 items-center text-small font-medium" href={path}>
                  {name === "expiring" ? text.toInvitations : text.toStatus}
                  <span class="sr-only">: {formatter.t(text.problems[name], { count })}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}
