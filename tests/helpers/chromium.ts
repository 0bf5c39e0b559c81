/** Where Chromium is installed: first the program without windows, which opens a page in a third of the time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Path of the browser of the tests. */
export const CHROMIUM = Deno.env.get("CHROMIUM") ?? PROGRAMS.find(isFile) ?? "/usr/bin/chromium";
/** Reason why a run without the browser tests nothing. */
export const WITHOUT_CHROMIUM = `there is no browser at ${CHROMIUM}; set CHROMIUM.`;

/** Returns whether the browser is installed. */
export function hasChromium(): boolean {
  return isFile(CHROMIUM);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
