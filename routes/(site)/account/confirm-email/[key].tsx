import { page } from "fresh";
import { ConfirmEmailPage } from "@/components/account/ConfirmEmailPage.tsx";
import { type ConfirmEmailData, loadConfirmEmail, submitConfirmEmail } from "@/lib/pages/password_pages.ts";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<ConfirmEmailData>({
  GET: async (ctx) => {
    const { data, status } = await loadConfirmEmail(ctx);
    return page(data, { status });
  },
  POST: async (ctx) => {
    const { data, status } = await submitConfirmEmail(ctx);
    return page(data, { status });
  },
});

export default define.page<typeof handler>(({ data }) => <ConfirmEmailPage {...data} />);
