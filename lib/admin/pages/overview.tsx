import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { ChangeList } from "@/components/admin/overview/ChangeList.tsx";
import { FigureList } from "@/components/admin/overview/FigureList.tsx";
import { ProblemList } from "@/components/admin/overview/ProblemList.tsx";
import { SetupStrip } from "@/components/admin/overview/SetupStrip.tsx";
import { hideChecklist } from "@/lib/chat/organizations/update_realm.ts";
import type { Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { adminPage } from "../declare/page.tsx";
import { sendTestMail } from "../organization/status_mail.ts";
import { loadOverview } from "../overview/overview_data.ts";

async function setHidden({ chat, caller }: AdminRequest, isHidden: boolean): Promise<Done> {
  await hideChecklist(chat, caller, isHidden);
  return { flash: "", to: "/admin" };
}

/** The first admin page: first steps that are left, figures, problems and the latest changes. */
export const overviewPage = adminPage({
  path: "/admin",
  load: loadOverview,
  title: (_, __, { overview }) => overview.title,
  find: { words: "dashboard home start" },
  lede: ({ organization }, t, { overview }) => t(overview.lede, { organization }),
  actions: ({ data }) => {
    const { messages } = useAdmin();
    return data.hasHiddenSteps
      ? <ActionButton action="show_steps" fields={{}}>{messages.overview.showSteps}</ActionButton>
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
          <SetupStrip steps={data.steps} address={data.address} serverUrl={data.serverUrl} />
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
