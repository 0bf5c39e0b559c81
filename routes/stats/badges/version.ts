import project from "@/deno.json" with { type: "json" };
import { badge } from "@/lib/api/badge.ts";

export const handler = badge(
  "Get the badge with the server's version",
  "version",
  () => `v${project.version}`,
);
