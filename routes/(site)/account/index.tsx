import { page } from "fresh";
import { AccountPage } from "@/components/account/AccountPage.tsx";
import { type AccountData, loadAccount, submitAccount } from "@/lib/pages/account_page.ts";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<AccountData>({
  GET: async (ctx) => {
    const loaded = await loadAccount(ctx);
    return loaded instanceof Response ? loaded : page(loaded);
  },
  POST: async (ctx) => {
    const outcome = await submitAccount(ctx);
    return outcome instanceof Response ? outcome : page(outcome.data, outcome);
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage {...data} />);
