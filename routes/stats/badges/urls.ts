import { badge } from "@/lib/api/badge.ts";
import { toBadge } from "@/lib/links/params.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";

export const handler = badge(
  "Get the badge with the number of short URLs",
  async ({ store: { kv } }) => toBadge("urls", (await readInstanceCounts(kv)).urls),
);
