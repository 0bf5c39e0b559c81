/** Path of the browser of the tests. */
export const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
/** Reason why a run without the browser tests nothing. */
export const WITHOUT_CHROMIUM = `there is no browser at ${CHROMIUM}; set CHROMIUM.`;

/** Returns whether the browser is installed. */
export async function hasChromium(): Promise<boolean> {
  return await Deno.stat(CHROMIUM).then(() => true, () => false);
}
