import { badge } from "@/lib/api/badge.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";

export const handler = badge(
  "Get the badge with the number of short URLs",
  "urls",
  async ({ store: { kv } }) => (await readInstanceCounts(kv)).urls,
);
