/** Packages that npx installs stand below such a folder. */
const NPX_FOLDER = /[/\\]_npx[/\\]/;
/** Text that a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * Returns the command that runs a task in the way in which this process was started, by npx or by an installed Deno,
 * with variables set.
 */
export function taskCommand(task: string, variables: Readonly<Record<string, string>> = {}): string {
  const deno = NPX_FOLDER.test(Deno.execPath()) ? `npx --yes deno@${Deno.version.deno}` : "deno";
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  return [...assignments, `${deno} task ${task}`].join(" ");
}

/** Returns a text as a word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
