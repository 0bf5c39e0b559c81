import project from "@/deno.json" with { type: "json" };
import { badge } from "@/lib/api/badge.ts";
import { toBadge } from "@/lib/links/params.ts";

export const handler = badge(
  "Get the badge with the server's version",
  () => Promise.resolve(toBadge("version", `v${project.version}`)),
);
