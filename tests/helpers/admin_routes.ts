import assert from "node:assert/strict";
import { DECLARED_PAGES } from "@/lib/admin/pages/declared_pages.ts";
import type { ServedRoute, Services } from "@/lib/services/services.ts";

const FOLDER = new URL("../../routes/admin/", import.meta.url);
/** Route files of declared pages. */
const OF_PAGES = ["/admin", "/admin/[...page]"];

/** A declared admin page, or a route file of its own. */
export interface AdminRoute {
  /** `/admin/channel-folders/[id]` */
  readonly pattern: string;
  /** Whether it renders a page; others accept a form or return a download. */
  readonly isPage: boolean;
}

/** Samples of route parameters, by the segment before them. */
export type AdminSamples = Readonly<Record<string, string>>;

/** Lists every admin route: the declared pages, and the files in `routes/admin`. */
export function listAdminRoutes(): readonly AdminRoute[] {
  return [
    ...DECLARED_PAGES.map(({ path }) => ({ pattern: path, isPage: true })),
    ...walk(FOLDER, "/admin").filter(({ pattern }) => !OF_PAGES.includes(pattern)),
  ].sort((one, other) => one.pattern < other.pattern ? -1 : 1);
}

/** Lists the routes of a server, with the declared pages in place of the route that answers them. */
export async function listAllRoutes({ listRoutes }: Services): Promise<readonly ServedRoute[]> {
  const pages = DECLARED_PAGES.map((page) => ({
    path: page.path.replace(/\[(\w+)\]/, "{$1}"),
    load: () => Promise.resolve({ handler: page }),
  }));
  const routes = await listRoutes();
  return [...routes.filter(({ path }) => !["/admin", "/admin/{page}"].includes(path)), ...pages].sort((
    one,
    other,
  ) => one.path < other.path ? -1 : 1);
}

function walk(folder: URL, path: string): AdminRoute[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith("_") || name.startsWith("(_")) return [];
    if (isDirectory) {
      return walk(new URL(`${name}/`, folder), name.startsWith("(") ? path : `${path}/${name}`);
    }
    const [, base = "", kind] = /^(.+)\.(tsx?)$/.exec(name) ?? [];
    if (kind === undefined) return [];
    return [{ pattern: base === "index" ? path : `${path}/${base}`, isPage: kind === "tsx" }];
  });
}

/** Returns a route's path with samples for its parameters: those of the nearest segment that has one. */
export function toAdminPath(pattern: string, samples: AdminSamples): string {
  const before: string[] = [];
  return pattern.split("/").map((segment) => {
    if (!segment.startsWith("[")) {
      before.unshift(segment);
      return segment;
    }
    const sample = before.map((name) => samples[name]).find((found) => found !== undefined);
    assert.ok(sample, `Add a sample to tests/helpers/admin_samples.ts for ${segment} in ${pattern}`);
    return sample;
  }).join("/");
}

/** Samples for tests that need no records. */
export const ANY_SAMPLES: AdminSamples = new Proxy({}, { get: () => "1" });
