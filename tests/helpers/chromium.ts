/** Programs that are looked for: first the one without windows, which opens a page in a third of the time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** Returns the path of the browser of the tests. */
export function chromiumPath(): string {
  return Deno.env.get("CHROMIUM") ?? PROGRAMS.find(isFile) ?? PROGRAMS[1];
}

/** Returns the reason why a run without the browser tests nothing. */
export function withoutChromium(): string {
  return `there is no browser at ${chromiumPath()}; set CHROMIUM.`;
}

/** Returns whether the browser is installed. */
export function hasChromium(): boolean {
  return isFile(chromiumPath());
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
