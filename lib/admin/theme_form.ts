import type { Context } from "fresh";
import { returnToOf } from "@/lib/pages/admin_gate.ts";
import { readRealmForm, sendOn } from "@/lib/api/page_session.ts";
import type { State } from "@/lib/services/services.ts";
import { setTheme, toTheme } from "@/lib/pages/theme.ts";
import { adminRequest } from "./admin_request.ts";

/** Stores the chosen theme and redirects to the previous page. */
export async function submitTheme(ctx: Context<State>): Promise<Response> {
  const { realm, services } = adminRequest(ctx);
  const wanted = (await readRealmForm(ctx, realm)).get("theme");
  const response = sendOn(ctx, returnToOf(ctx.req, "/admin"));
  setTheme(response.headers, toTheme(wanted), services.isHttps);
  return response;
}
