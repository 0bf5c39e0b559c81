import type { ChatApp } from "../app.ts";
import { type AlertWord, alertWordsKey } from "./model.ts";

/** Reads the alert words of an account, the oldest first. */
export async function readAlertWords(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  userId: number,
): Promise<readonly AlertWord[]> {
  return await reads.read<readonly AlertWord[]>(alertWordsKey(realmId, userId)) ?? [];
}
