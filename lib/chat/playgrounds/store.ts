import type { ChatApp } from "../app.ts";
import { type PlaygroundRecord, playgroundsKey } from "./model.ts";

/** Lists an organization's code playgrounds, the oldest first. */
export async function listPlaygrounds(
  { reads }: ChatApp,
  realmId: number,
): Promise<readonly PlaygroundRecord[]> {
  return await reads.read<readonly PlaygroundRecord[]>(playgroundsKey(realmId)) ?? [];
}
