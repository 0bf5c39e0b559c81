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
