import { page } from "fresh";
import { ResetPasswordExpired, ResetPasswordPage } from "@/components/account/ResetPasswordPage.tsx";
import { methods } from "@/lib/api/methods.ts";
import {
  loadResetPassword,
  type ResetPasswordData,
  submitResetPassword,
} from "@/lib/pages/password_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<ResetPasswordData>({
  GET: async (ctx) => {
    const data = await loadResetPassword(ctx);
    return page(data, { status: data === null ? 404 : 200 });
  },
  POST: async (ctx) => {
    const outcome = await submitResetPassword(ctx);
    if (outcome instanceof Response) return outcome;
    return page(outcome, { status: outcome === null ? 404 : 400 });
  },
});

export default define.page<typeof handler>(({ data }) =>
  data ? <ResetPasswordPage {...data} /> : <ResetPasswordExpired />
);
