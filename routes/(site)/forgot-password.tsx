import { page } from "fresh";
import { ForgotPasswordPage } from "@/components/account/ForgotPasswordPage.tsx";
import { methods } from "@/lib/api/methods.ts";
import {
  type ForgotPasswordData,
  loadForgotPassword,
  submitForgotPassword,
} from "@/lib/pages/password_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<ForgotPasswordData>({
  GET: (ctx) => Promise.resolve(page(loadForgotPassword(ctx))),
  POST: async (ctx) => {
    const outcome = await submitForgotPassword(ctx);
    return page(outcome.data, outcome);
  },
});

export default define.page<typeof handler>(({ data }) => <ForgotPasswordPage {...data} />);
