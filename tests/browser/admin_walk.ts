import { listAdminRoutes, makeSamples, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import type { AdminCast } from "./admin_cast.ts";

/** The path of every admin page, with something there that it is about. */
export async function adminPaths(cast: AdminCast): Promise<readonly string[]> {
  const samples = await makeSamples((endpoint, params) => cast.call("owner", endpoint, params));
  return listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) => toAdminPath(pattern, samples));
}
