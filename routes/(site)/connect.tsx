import { page } from "fresh";
import { ConnectPage } from "@/components/connect/ConnectPage.tsx";
import { methods } from "@/lib/api/methods.ts";
import { type ConnectData, loadConnect, submitConnect } from "@/lib/pages/connect_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<ConnectData>({
  GET: async (ctx) => {
    const loaded = await loadConnect(ctx);
    return loaded instanceof Response ? loaded : page(loaded);
  },
  POST: async (ctx) => {
    const outcome = await submitConnect(ctx);
    return outcome instanceof Response ? outcome : page(outcome.data, outcome);
  },
});

export default define.page<typeof handler>(({ data }) => <ConnectPage {...data} />);
