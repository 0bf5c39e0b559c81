/** Returns the path of the library that shifts the clock of a process; null where it is not installed. */
export async function findFaketime(): Promise<string | null> {
  const folders = [...Deno.readDirSync("/usr/lib")].map(({ name }) => `/usr/lib/${name}`);
  for (const folder of folders) {
    // The variant for programs with several threads.
    const path = `${folder}/faketime/libfaketimeMT.so.1`;
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  return null;
}

/** Returns the environment of a process whose clock differs from the machine's by a number of seconds. */
export function shiftClock(library: string, seconds: number): Record<string, string> {
  const sign = seconds < 0 ? "-" : "+";
  // Durations are measured by a clock that keeps its pace.
  return {
    LD_PRELOAD: library,
    FAKETIME: `${sign}${Math.abs(seconds)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}
