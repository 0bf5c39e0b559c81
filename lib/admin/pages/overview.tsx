import { Link } from "@/components/Link.tsx";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { FigureList } from "@/lib/admin/overview/FigureList.tsx";
import { SetupStrip } from "@/lib/admin/overview/SetupStrip.tsx";
import { hideChecklist } from "@/lib/chat/organization/organizations/update_realm.ts";
import type { Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { ChangeSentence, NameLink } from "../audit/ChangeSentence.tsx";
import { adminPage } from "../declare/page.tsx";
import { sendTestMail } from "../organization/status_mail.ts";
import { loadOverview, type OverviewData } from "../overview/overview_data.ts";

async function setHidden({ chat, caller }: AdminRequest, isHidden: boolean): Promise<Done> {
  await hideChecklist(chat, caller, isHidden);
  return { flash: "", to: "/admin" };
}

/** The first admin page: first steps that are left, figures, problems and the latest changes. */
export const overviewPage = adminPage({
  path: "/admin",
  load: loadOverview,
  title: "Overview",
  find: { words: "dashboard home first steps checklist backup" },
  lede: ({ organization }, t) => t("{organization} at a glance.", { organization }),
  actions: ({ data }) => {
    const { t } = useAdmin();
    return data.hasHiddenSteps
      ? <ActionButton action="show_steps" fields={{}}>{t("Show the first steps again")}</ActionButton>
      : null;
  },
  forms: [
    { action: "test_mail", run: (request) => sendTestMail(request, "/admin") },
    { action: "hide_steps", run: (request) => setHidden(request, true) },
    { action: "show_steps", run: (request) => setHidden(request, false) },
  ],
  view: ({ data }) => (
    <>
      <FormProblem problem={useRefusedForm()?.problems["form"]} margin="mb-6" />
      {data.steps !== null && (
        <div class="mb-10">
          <SetupStrip steps={data.steps} />
        </div>
      )}
      <FigureList figures={data.figures} />
      <div class="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-10 lg:grid-cols-2">
        <ProblemList problems={data.problems} />
        <ChangeList changes={data.changes} now={data.now} />
      </div>
    </>
  ),
});

/** Renders what an administrator should act on, each with its page. */
function ProblemList({ problems }: Pick<OverviewData, "problems">) {
  const { t } = useAdmin();
  return (
    <section aria-labelledby="problems-title">
      <h2 id="problems-title">{t("Needs attention")}</h2>
      {problems.length === 0
        ? <p class="mt-3 text-good">{t("Nothing needs your attention.")}</p>
        : (
          <ul class="mt-3 border-t border-rule">
            {problems.map(({ text, path }) => (
              <li key={text} class="border-b border-rule py-2.5">
                <p>{text}</p>
                <Link class="link inline-flex min-h-6 items-center text-small font-medium" href={path}>
                  {t(path.startsWith("/admin/invitations") ? "View invitations" : "View status")}
                  <span class="sr-only">: {text}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}

/** Renders the latest changes by administrators, newest first. */
function ChangeList({ changes, now }: Pick<OverviewData, "changes" | "now">) {
  const { t, formatter } = useAdmin();
  return (
    <section aria-labelledby="changes-title">
      <div class="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="changes-title">{t("Latest changes")}</h2>
        <Link class="link inline-flex min-h-6 items-center text-small font-medium" href="/admin/audit">
          {t("View audit log")}
        </Link>
      </div>
      {changes.length === 0
        ? <p class="mt-3 text-soft">{t("Changes by administrators appear here.")}</p>
        : (
          <ol class="mt-3 border-t border-rule">
            {changes.map((change) => (
              <li key={change.id} class="border-b border-rule py-2.5">
                <ChangeSentence change={change} />
                <p class="text-small text-soft">
                  <NameLink {...change.actor} />
                  {" · "}
                  <time dateTime={new Date(change.time).toISOString()} title={formatter.moment(change.time)}>
                    {formatter.distance(change.time, now)}
                  </time>
                </p>
              </li>
            ))}
          </ol>
        )}
    </section>
  );
}
