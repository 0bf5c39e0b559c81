import { residentBytes } from "./server.ts";

/**
 * Returns how many bytes a process's resident memory grows at most while `work` runs. The kernel keeps the
 * peak, so no moment is missed.
 */
export async function measurePeakGrowth(pid: number, work: () => Promise<unknown>): Promise<number> {
  // 5 resets the peak to what is resident now: see proc_pid_clear_refs(5).
  await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5");
  const before = residentBytes(pid);
  await work();
  return peakBytes(pid) - before;
}

function peakBytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024;
}
