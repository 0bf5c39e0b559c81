import type { ChatApp } from "../app.ts";
import { readUser } from "../users/store.ts";
import { userKeys, type UserRecord } from "../users/user.ts";

/** The longest address that is looked for, in characters: no longer one can be an account's. */
const MAX_ADDRESS = 254;

/** The account whose real address this is, or null; small and capital letters of ASCII count as equal, no others. */
export async function readUserByRealEmail(
  app: ChatApp,
  realmId: number,
  address: string,
): Promise<UserRecord | null> {
  if (address.length > MAX_ADDRESS) return null;
  const id = await app.reads.read<number>(userKeys.byEmail(realmId, address));
  const user = id === null ? null : await readUser(app, realmId, id);
  // Letters that merely look alike when they are made small, such as the Kelvin sign, are somebody else's address.
  return user !== null && toAsciiLower(user.delivery_email) === toAsciiLower(address) ? user : null;
}

function toAsciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
