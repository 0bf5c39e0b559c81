/** Returns the processor time of a process's main thread in seconds, which other processes do not change. */
export function mainThreadSeconds(pid: number): number {
  return readNanoseconds(pid).running / 1e9;
}

/** Returns the time that a process's main thread has waited for a processor, in milliseconds. */
export function mainThreadWaitMs(pid: number): number {
  return readNanoseconds(pid).waiting / 1e6;
}

function readNanoseconds(pid: number): { readonly running: number; readonly waiting: number } {
  const [running, waiting] = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/schedstat`).split(" ");
  return { running: Number(running), waiting: Number(waiting) };
}
