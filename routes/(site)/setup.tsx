import { page } from "fresh";
import { SetupPage, SetupUnavailable } from "@/components/setup/SetupPage.tsx";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";
import { loadSetup, type SetupClosed, type SetupData, submitSetup } from "@/lib/pages/setup_page.ts";

export const handler = methods<SetupData | SetupClosed>({
  GET: async (ctx) => {
    const data = await loadSetup(ctx);
    return page(data, { status: "isSetUp" in data ? 404 : 200 });
  },
  POST: async (ctx) => {
    const outcome = await submitSetup(ctx);
    if (outcome instanceof Response) return outcome;
    return page(outcome, { status: "isSetUp" in outcome ? 404 : 400 });
  },
});

export default define.page<typeof handler>(({ data }) =>
  "isSetUp" in data ? <SetupUnavailable {...data} /> : <SetupPage {...data} />
);
