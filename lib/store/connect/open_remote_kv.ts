import { systemClock } from "@/lib/core/clock.ts";
import type { Kv } from "../kv.ts";
import { backOff } from "../retry.ts";
import {
  CurrentMetadata,
  fetchMetadata,
  type KvConnection,
  type KvMetadata,
  MetadataRefused,
} from "./metadata.ts";
import { KvCalls } from "./kv_calls.ts";
import { NetworkClock } from "./commit_gate.ts";

/** Environment variable of the access token, which the runtime's client reads as well. */
export const TOKEN_VARIABLE = "DENO_KV_ACCESS_TOKEN";
/** Milliseconds for which a process that starts waits for a server that does not answer. */
const PATIENCE_MS = 30_000;

/** Whether a location is the address of a KV Connect server. */
export function isRemote(location: string): boolean {
  return /^https?:\/\//.test(location);
}

/**
 * Opens a store on a KV Connect server. Its calls fail within two seconds instead of waiting for a server that
 * does not answer, a commit is sent at most once, and commits may have 100 checks. `clock` follows the server's
 * time.
 * @throws Error when the server refuses the access token or cannot be reached.
 */
export async function openRemoteKv(address: string, clock = new NetworkClock()): Promise<Kv> {
  const accessToken = Deno.env.get(TOKEN_VARIABLE);
  if (accessToken === undefined) throw new Error(`set ${TOKEN_VARIABLE} to the server's access token`);
  const connection = { address, accessToken, clock };
  const calls = new KvCalls(new CurrentMetadata(connection, await reach(connection)));
  // Stores in a file do not need the client.
  const { openClient } = await import("./remote_kv.ts");
  return await openClient(calls);
}

/** Repeats the metadata exchange while the server does not answer. */
async function reach(connection: KvConnection): Promise<KvMetadata> {
  const end = systemClock.monotonic() + PATIENCE_MS;
  for (let attempt = 1;; attempt++) {
    try {
      return await fetchMetadata(connection);
    } catch (error) {
      if (error instanceof MetadataRefused || systemClock.monotonic() >= end) throw error;
      await backOff(attempt);
    }
  }
}
