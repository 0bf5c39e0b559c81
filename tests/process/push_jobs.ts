import type { TestServer } from "@/tests/helpers/server.ts";

/**
 * Makes all jobs of a queue due, in their order, as if their leases and delays had ended. The store's server
 * must not be running, as it may hold a job.
 */
export async function makeDue(store: string, queue: readonly Deno.KvKeyPart[]): Promise<void> {
  using kv = await Deno.openKv(store);
  const entries = await Array.fromAsync(kv.list({ prefix: [...queue] }));
  for (const [at, entry] of entries.entries()) {
    // The part after the queue's name is the due time, in milliseconds since 1970 UTC.
    const key = entry.key.with(queue.length, at);
    await kv.atomic().check(entry).delete(entry.key).set(key, entry.value).commit();
  }
}

/**
 * Counts the jobs that a server's log reports as failed, 0 unless the machine stalls for longer than a
 * request may take. A failed request may have been served, and is sent again.
 */
export function countFailures({ output }: TestServer): number {
  const lines = output.split("\n").filter((line) => /^{.*"level":"(warn|error)".*"message":.*}$/.test(line));
  return lines.reduce((sum, line) => sum + (JSON.parse(line).count ?? 1), 0);
}
