import { page } from "fresh";
import { LoginPage } from "@/components/account/LoginPage.tsx";
import { loadLogin, type LoginData, submitLogin } from "@/lib/pages/login_page.ts";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<LoginData>({
  GET: async (ctx) => {
    const loaded = await loadLogin(ctx);
    return loaded instanceof Response ? loaded : page(loaded);
  },
  POST: async (ctx) => {
    const outcome = await submitLogin(ctx);
    return outcome instanceof Response ? outcome : page(outcome.data, outcome);
  },
});

export default define.page<typeof handler>(({ data }) => <LoginPage {...data} />);
