import { page } from "fresh";
import { SetupGone } from "@/components/account/SetupGone.tsx";
import { SetupPage } from "@/components/account/SetupPage.tsx";
import { methods } from "@/lib/http/methods.ts";
import { define } from "@/lib/http/services.ts";
import { loadSetup, type SetupData, submitSetup } from "@/lib/http/setup_page.ts";

export const handler = methods<SetupData>({
  GET: async (ctx) => {
    const data = await loadSetup(ctx);
    return page(data, { status: data === null ? 404 : 200 });
  },
  POST: async (ctx) => {
    const outcome = await submitSetup(ctx);
    if (outcome instanceof Response) return outcome;
    return page(outcome, { status: outcome === null ? 404 : 400 });
  },
});

export default define.page<typeof handler>(({ data }) =>
  data === null ? <SetupGone /> : <SetupPage {...data} />
);
