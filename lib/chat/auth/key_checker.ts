import { createLru } from "@/lib/core/lru.ts";
import type { KeyChecker } from "../app.ts";
import { type ApiKeyOwner, deriveApiKey, isSameApiKey } from "./model.ts";

/** Number of accounts whose keys are remembered. */
const MAX_KNOWN = 10_000;
/** Placeholder for a missing account, so that a request for one takes as long as checking a key. */
const NOBODY: ApiKeyOwner = { id: 0, key_generation: 0 };

/** Creates a checker of the keys that derive from the server's secret. */
export function createKeyChecker(secretKey: Uint8Array): KeyChecker {
  const known = createLru<string, string>(MAX_KNOWN);
  return {
    isKeyOf(realmId, user, key) {
      const { id, key_generation } = user ?? NOBODY;
      const name = `${realmId} ${id} ${key_generation}`;
      if (isSameApiKey(known.get(name) ?? "", key)) return user !== null;
      const isRight = isSameApiKey(deriveApiKey({ secretKey }, realmId, { id, key_generation }), key);
      if (user === null || !isRight) return false;
      known.set(name, key);
      return true;
    },
  };
}
