import { badge } from "@/lib/api/badge.ts";
import { toBadge } from "@/lib/links/params.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";

export const handler = badge(
  "Get the badge with the number of visits",
  async ({ store: { kv } }) => toBadge("visits", (await readInstanceCounts(kv)).visits),
);
