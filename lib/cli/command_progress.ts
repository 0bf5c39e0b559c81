import { systemClock } from "@/lib/core/clock.ts";
import { createProgress, type Progress, type ProgressWork } from "./progress.ts";

/** Bytes of a step of progress that is counted in megabytes. */
const MEGABYTE = 1_000_000;

/** Shows the progress of a command on standard error once it takes longer than a second. */
export function startProgress(work: Pick<ProgressWork, "label" | "total">): Progress {
  return createProgress(Deno.stderr, systemClock, { ...work, isQuietAtFirst: true });
}

/** Shows the progress of a command that reads or writes `total` bytes. */
export function startByteProgress(label: string, total: number | null): Progress {
  const work = { label, total: total === null ? null : total / MEGABYTE, unit: "MB", isQuietAtFirst: true };
  const { advance, finish } = createProgress(Deno.stderr, systemClock, work);
  return { advance: (bytes) => advance(bytes / MEGABYTE), finish };
}

/** Makes the listings of a store count their entries. Returns the same store. */
export function countListed(kv: Deno.Kv, { advance }: Pick<Progress, "advance">): Deno.Kv {
  const list = kv.list.bind(kv);
  const counted: Pick<Deno.Kv, "list"> = {
    list<T>(...args: Parameters<typeof list>) {
      const listing = list<T>(...args);
      const next = listing.next.bind(listing);
      return Object.assign(listing, {
        next() {
          advance(1);
          return next();
        },
      });
    },
  };
  return Object.assign(kv, counted);
}
