import assert from "node:assert/strict";
import { createAdminSamples } from "@/tests/helpers/admin_samples.ts";
import { listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import type { AdminCast } from "./admin_cast.ts";

/** Names of the samples, which no page contains otherwise. */
export const SAMPLE_NAMES: readonly string[] = [
  "Rosebeds",
  "What grows where",
  "Wheelbarrow-(?P<id>[0-9]+)",
  "Compost",
  "What becomes of leaves",
  "Allotment",
  "Pruners",
  "Sandpit",
  "https://example.com/sandpit{?code}",
  "Python",
  "Weather",
  "Favorite flower",
  "allotment.example",
  "invited@example.com",
  "sprout",
  "https://example.com/compost",
  "example.com/compost",
  "example.com",
  "https://example.com/ticket/{id}",
];

/** Returns the path of every admin page, with existing records as parameters. */
export async function adminPaths(cast: AdminCast): Promise<readonly string[]> {
  const call = (endpoint: string, params = {}) => cast.call("owner", endpoint, params);
  const { baseUrl } = cast.site;
  const headers = { cookie: `sotto_session=${await cast.sessionOf("owner")}`, origin: baseUrl };
  const visit = (path: string, body?: URLSearchParams) =>
    fetch(`${baseUrl}${path}`, {
      redirect: "manual",
      headers,
      ...(body === undefined ? {} : { method: "POST", body }),
    });
  const samples = await createAdminSamples({ call, shorten: () => shorten(cast), visit });
  const queries: Readonly<Record<string, string>> = {
    "/admin/bulk-actions/new": `?user=${samples["users"]}`,
    "/admin/bulk-actions/confirm": `?user=${samples["users"]}&what=deactivate`,
  };
  return listAdminRoutes().filter(({ isPage }) => isPage)
    .map(({ pattern }) => `${toAdminPath(pattern, samples)}${queries[pattern] ?? ""}`);
}

/** Shortens a URL and returns the id as encoded in a path. */
async function shorten({ site }: AdminCast): Promise<string> {
  const response = await fetch(site.baseUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/compost" }),
  });
  const { short } = await response.json();
  assert.equal(response.ok, true);
  return encodeURIComponent(short);
}
