import { join } from "node:path";
import { checkLinks } from "@/lib/links/check.ts";
import { copyFile } from "./backup.ts";
import { checkChat } from "./check_chat.ts";
import { Refusal, UsageError } from "./errors.ts";
import type { CommandContext } from "./main.ts";

/**
 * Compares every counter and index with what it counts and finds. Of an embedded store one moment's copy is checked, so that a running
 * server does not disturb it; other stores are read as they are.
 */
export async function check(context: CommandContext, args: readonly string[]): Promise<object> {
  if (args.length > 0) throw new UsageError("deno task admin check");
  if (context.location === ":memory:") {
    throw new Refusal("A store in memory cannot be reached from outside its server.");
  }
  if (context.path === null) return await report(context.location ?? undefined);
  const folder = await Deno.makeTempDir();
  try {
    const copy = join(folder, "store");
    await copyFile(context.path, copy);
    return await report(copy);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function report(location: string | undefined): Promise<object> {
  using kv = await Deno.openKv(location);
  const links = await checkLinks(kv);
  const chat = await checkChat(kv);
  const problems = links.problems.length + chat.problems.length;
  const result = { ok: problems === 0, links, chat };
  if (!result.ok) throw new Refusal(`${problems} problems found.`, result);
  return result;
}
