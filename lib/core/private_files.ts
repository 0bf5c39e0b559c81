import { isAbsolute, join, relative, resolve } from "node:path";

/** Mode of a folder that only the server's user may open. */
const PRIVATE_FOLDER = 0o700;
/** Mode of a file that only the server's user may read. */
const PRIVATE_FILE = 0o600;
/** Permissions of the group and of other users. */
const FOREIGN = 0o077;

/** Masks the permissions of other users from every file that the process creates from now on, if it can create any. */
export function maskForeignAccess(): void {
  if (Deno.build.os !== "windows" && canWriteFiles()) Deno.umask(FOREIGN);
}

/** Whether the process may write any file; not where the platform denies it. */
export function canWriteFiles(): boolean {
  return Deno.permissions.querySync({ name: "write" }).state !== "denied";
}

/** Creates a folder, and its missing parents, for the server's user only. */
export function makePrivateFolder(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Takes the permissions of other users from the files of an existing folder that `isOwn` names, and from the
 * folder if it is dedicated: below the working folder, or without other files. Does nothing for a folder that
 * is missing, private already or unreadable, and for a file.
 */
export function restrictFolder(path: string, isOwn: (name: string) => boolean): void {
  if (!isOpenToOthers(path) || !Deno.statSync(path).isDirectory) return;
  const names = listNames(path);
  if (names === null) return;
  for (const name of names) if (isOwn(name)) restrictFile(join(path, name));
  // Restricting a shared folder, such as a home folder or /tmp, would lock out others.
  if (isBelowWorkingFolder(path) || names.every(isOwn)) restrict(path, PRIVATE_FOLDER);
}

/** Creates an empty file for the server's user only, and restricts an existing one to that user. */
export function makePrivateFile(path: string): void {
  // SQLite gives the files beside a database the mode of the database.
  Deno.openSync(path, { write: true, create: true, mode: PRIVATE_FILE }).close();
  restrictFile(path);
}

/** Takes the permissions of other users from a file; does nothing when there is no such file. */
export function restrictFile(path: string): void {
  if (isOpenToOthers(path)) restrict(path, PRIVATE_FILE);
}

/** Returns false for a path that cannot be inspected; its later use reports why. */
function isOpenToOthers(path: string): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    return ((Deno.statSync(path).mode ?? 0) & FOREIGN) !== 0;
  } catch {
    return false;
  }
}

/** A file of another user, such as one on a mounted volume, keeps its mode. */
function restrict(path: string, mode: number): void {
  try {
    Deno.chmodSync(path, mode);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
  }
}

function listNames(path: string): string[] | null {
  try {
    return Array.from(Deno.readDirSync(path), ({ name }) => name);
  } catch {
    return null;
  }
}

function isBelowWorkingFolder(path: string): boolean {
  const working = Deno.cwd();
  const way = relative(working, resolve(path));
  return working !== "/" && way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
