import { Cache } from "@/lib/store/cache.ts";
import type { Services } from "@/lib/services/services.ts";

/** Empties the cache of a server whose store returned to a snapshot: versions return to earlier numbers. */
export function forgetReads({ chat }: Pick<Services, "chat">): void {
  Object.assign(chat, { cache: new Cache() });
}
