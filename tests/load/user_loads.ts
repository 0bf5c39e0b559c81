import type { LoadUser } from "./chat_seeding.ts";
import type { Load } from "./wrk.ts";

/** Creates a load that reads one path as the given users in turn; its file goes to `folder`. */
export async function createReadLoad(
  folder: string,
  path: string,
  users: readonly LoadUser[],
): Promise<Load> {
  const file = await Deno.makeTempFile({ dir: folder, prefix: "readers-" });
  await Deno.writeTextFile(file, users.map(({ authorization }) => `${authorization}\n`).join(""));
  return { script: "chat_read.lua", args: [path, file] };
}

/** Requests that change something. */
export interface Write {
  /** POST by default. */
  readonly method?: string;
  readonly path: string;
  /** Bodies that each user sends alternately. */
  readonly bodies: readonly [string, string];
}

/** Creates a load of writes with one connection for each user; its file goes to `folder`. */
export async function createWriteLoad(
  folder: string,
  { method = "POST", path, bodies }: Write,
  users: readonly LoadUser[],
): Promise<Load> {
  const file = await Deno.makeTempFile({ dir: folder, prefix: "writers-" });
  const lines = users.map(({ authorization }) => [...bodies, authorization].join("\t"));
  await Deno.writeTextFile(file, lines.join("\n"));
  const args = [method, path, file];
  return { script: "chat_write.lua", args, threads: users.length, connections: users.length };
}
