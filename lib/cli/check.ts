import { taskCommand } from "@/lib/core/task_command.ts";
import { Database } from "@/lib/store/database.ts";
import { requireNoImport } from "@/lib/store/migrate.ts";
import { openKv } from "@/lib/store/open.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { withCopy } from "./backup.ts";
import { checkChat } from "./check_chat.ts";
import { startProgress } from "./progress.ts";
import { type CommandContext, Refusal, requireReachable, UsageError } from "./command.ts";

/** Looks at a store that is in use until one finds no problem: servers move entries between two reads of one look. */
const MAX_LOOKS = 4;

/**
 * Compares every counter and index with the records. An embedded store is copied as of one moment first, so
 * that a running server is not disturbed; another store is read as it is.
 */
export async function check(context: CommandContext, args: readonly string[]): Promise<object> {
  if (args.length > 0) throw new UsageError(taskCommand("-q admin check"));
  requireReachable(context.location);
  const { location, path } = context;
  if (path === null) return await report(location ?? undefined, { name: location ?? "", looks: MAX_LOOKS });
  return await withCopy(path, (copy) => report(copy, { name: path, looks: 1 }));
}

async function report(
  location: string | undefined,
  { name, looks }: { readonly name: string; readonly looks: number },
): Promise<object> {
  const progress = startProgress({ label: "Checking entries", total: null });
  using kv = new Database(await openKv(location), { onListed: () => progress.advance(1) });
  await requireNoImport(kv, name);
  for (let look = 1;; look++) {
    const links = await checkLinks(kv);
    const chat = await checkChat(kv);
    const problems = links.problems.length + chat.problems.length;
    const result = { ok: problems === 0, links, chat };
    if (problems > 0 && look < looks) continue;
    progress.finish();
    if (problems > 0) throw new Refusal(`${problems} problems found.`, result);
    return result;
  }
}
