import { servePage } from "@/lib/admin/serve_page.ts";

/** All declared pages below `/admin`, also with a slash at the end of their address. */
export const config = { routeOverride: "/admin/:page(.*)" };
export const handler = servePage;
