import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { createChatApp } from "@/lib/chat/register/create_app.ts";
import { type CreatedRealm, createRealm } from "@/lib/chat/people/users/create_realm.ts";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { readOrMakeSecretKey } from "@/lib/services/sotto_store.ts";
import type { Store } from "@/lib/store/open.ts";

/** The address of the organization's owner. */
export const OWNER_EMAIL = "owner@example.com";

/** Makes an organization in a new store, as the operator's command line does; its owner may have no password. */
export async function makeLoadRealm(
  store: Store,
  ownerPassword: string | null,
): Promise<{ app: ChatApp; created: CreatedRealm }> {
  const app = createChatApp({
    store,
    secretKey: await readOrMakeSecretKey(store),
    clock: systemClock,
    config: readConfig({ RATE_LIMITS: "off" }),
    passwords: createPasswordHasher(),
    wakeMailer: () => {},
  });
  const names = { name: "Load", subdomain: "", ownerName: "Owner" };
  return { app, created: await createRealm(app, { ...names, ownerEmail: OWNER_EMAIL, ownerPassword }) };
}

/** Returns a member without a password, by number. */
export function loadMember(number: number) {
  return {
    deliveryEmail: `member${number}@example.com`,
    fullName: `Member ${number}`,
    role: 400,
    passwordHash: null,
  } as const;
}
