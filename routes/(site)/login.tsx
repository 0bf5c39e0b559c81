import { page } from "fresh";
import { LoginPage } from "@/components/account/LoginPage.tsx";
import { loadLogin, type LoginData, submitLogin } from "@/lib/http/login_page.ts";
import { methods } from "@/lib/http/methods.ts";
import { define } from "@/lib/http/services.ts";

export const handler = methods<LoginData>({
  GET: async (ctx) => {
    const loaded = await loadLogin(ctx);
    return loaded instanceof Response ? loaded : page(loaded);
  },
  POST: async (ctx) => {
    const outcome = await submitLogin(ctx);
    return outcome instanceof Response ? outcome : page(outcome.data, { status: outcome.status });
  },
});

export default define.page<typeof handler>(({ data }) => <LoginPage {...data} />);
