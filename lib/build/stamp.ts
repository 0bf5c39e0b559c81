const ROOT = new URL("../../", import.meta.url);
const STAMP = new URL("_fresh/stamp", ROOT);
/** Everything that a build depends on. */
const INPUTS = ["deno.json", "deno.lock", "main.ts", "components", "islands", "lib", "routes", "static"];

/** Whether what is built does not come from the sources as they are. */
export async function isStale(): Promise<boolean> {
  const stamp = await Deno.readTextFile(STAMP).catch(() => "");
  return stamp !== await readStamp();
}

/** Notes which sources the build came from. */
export async function writeStamp(): Promise<void> {
  await Deno.writeTextFile(STAMP, await readStamp());
}

/** One text that changes whenever a source does: by name, size and time of change, which is quick to read. */
async function readStamp(): Promise<string> {
  const lines: string[] = [];
  for (const input of INPUTS) await describe(new URL(input, ROOT), lines);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.sort().join("\n")));
  return new Uint8Array(digest).toHex();
}

async function describe(path: URL, lines: string[]): Promise<void> {
  const info = await Deno.stat(path).catch(() => null);
  if (info === null) return;
  if (!info.isDirectory) {
    lines.push(`${path.pathname} ${info.size} ${info.mtime?.getTime() ?? 0}`);
    return;
  }
  for await (const { name } of Deno.readDir(path)) {
    if (name !== "vendor") {
      await describe(new URL(`${path.href.replace(/\/?$/, "/")}${encodeURIComponent(name)}`), lines);
    }
  }
}
