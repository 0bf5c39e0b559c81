import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { channelKeys, MAX_CHANNEL_NAME } from "./channel.ts";

/** Control characters, halves of pairs, and what no character ever is. */
const BARRED = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Refuses names that no channel may have; blanks around a name are gone before.
 * @throws AppError BAD_REQUEST.
 */
export function requireChannelName(name: string): void {
  if (name === "") throw new AppError("BAD_REQUEST", "Channel name can't be empty.");
  if (codePointLength(name) > MAX_CHANNEL_NAME) {
    throw new AppError("BAD_REQUEST", `Channel name too long (limit: ${MAX_CHANNEL_NAME} characters).`);
  }
  const at = name.search(BARRED);
  if (at < 0) return;
  const position = codePointLength(name.slice(0, at)) + 1;
  throw new AppError("BAD_REQUEST", `Invalid character in channel name, at position ${position}.`);
}

/**
 * Refuses a name that a channel of the organization has in any case, archived ones included.
 * @throws AppError CHANNEL_ALREADY_EXISTS.
 */
export async function requireFreeName(tx: Tx, realmId: number, name: string): Promise<void> {
  if (await tx.get(channelKeys.byName(realmId, name)) === null) return;
  throw new AppError("CHANNEL_ALREADY_EXISTS", `Channel '${name}' already exists`, {
    extra: { channel_name: name },
  });
}
