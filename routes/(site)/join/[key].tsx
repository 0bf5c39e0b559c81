import { page } from "fresh";
import { JoinPage } from "@/components/join/JoinPage.tsx";
import { type JoinData, loadJoin, submitJoin } from "@/lib/pages/join_pages.ts";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<JoinData>({
  GET: async (ctx) => {
    const { data, status } = await loadJoin(ctx);
    return page(data, { status });
  },
  POST: async (ctx) => {
    const outcome = await submitJoin(ctx);
    return outcome instanceof Response ? outcome : page(outcome.data, outcome);
  },
});

export default define.page<typeof handler>(({ data }) => <JoinPage {...data} />);
