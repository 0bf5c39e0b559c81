import { PROJECT } from "./server.ts";

/** A virtual environment, whose folder in the project is not committed, and the file with its exact versions. */
export interface PythonPackages {
  readonly folder: string;
  readonly requirements: string;
  /** Further arguments of `pip install`. */
  readonly options?: readonly string[];
}

/**
 * Installs the exact versions of a requirements file in a virtual environment, unless they are there, and returns
 * the folder of its programs; null where Python or the packages cannot be installed.
 */
export async function installPythonPackages(
  { folder, requirements, options = [] }: PythonPackages,
): Promise<string | null> {
  const environment = PROJECT + folder;
  const installed = `${environment}/installed.txt`;
  const wanted = await Deno.readTextFile(PROJECT + requirements);
  if (await Deno.readTextFile(installed).catch(() => "") === wanted) return `${environment}/bin`;
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
  const packages = ["--requirement", PROJECT + requirements];
  const isInstalled = await succeeds("python3", ["-m", "venv", "--clear", environment]) &&
    await succeeds(`${environment}/bin/pip`, ["install", ...quiet, ...options, ...packages]);
  if (!isInstalled) return null;
  await Deno.writeTextFile(installed, wanted);
  return `${environment}/bin`;
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: [...args], cwd: PROJECT, stdin: "null" }).spawn().status)
      .success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
