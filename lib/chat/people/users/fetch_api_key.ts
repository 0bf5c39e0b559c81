import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { authenticateToken } from "@/lib/chat/people/auth/authenticate.ts";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { bool, described, exact, text, withDefault } from "@/lib/chat/organization/params/param.ts";
import { toUser, userSchema } from "./api.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";

export const fetchApiKeyParams = {
  username: described(exact(text()), "Email address of the account."),
  password: described(exact(text()), "Password of the account."),
};

export const fetchApiKeyByTokenParams = {
  token: described(
    withDefault(exact(text()), ""),
    "Signed JSON Web Token with the account's email address as the claim `email`. Required.",
  ),
  include_profile: described(withDefault(bool(), false), "Whether to include the user in the response."),
};

const api_key = z.string().meta({ description: "API key: 32 letters and digits." });
const email = z.string().meta({ description: "Real email address of the account." });

export const fetchedApiKeySchema = z.object({ api_key, email, user_id: z.int() });

/** Response schema of POST /jwt/fetch_api_key; includes the user on request only. */
export const fetchedApiKeyByTokenSchema = z.object({ api_key, email, user: userSchema.optional() });

export const newApiKeySchema = z.object({ api_key });

/** Returns an account's API key with its real address and id. */
export function toFetchedApiKey(app: ChatApp, realm: RealmRecord, user: UserRecord) {
  return { api_key: deriveApiKey(app, realm.id, user), email: user.delivery_email, user_id: user.id };
}

/** @throws AppError as `authenticateToken`. */
export async function fetchApiKeyByToken(
  app: ChatApp,
  where: RealmRecord | null,
  { token, include_profile }: { token: string; include_profile: boolean },
) {
  const { realm, user } = await authenticateToken(app, where, token);
  const key = { api_key: deriveApiKey(app, realm.id, user), email: user.delivery_email };
  return include_profile ? { ...key, user: toUser(user, { app, realm, viewer: user }) } : key;
}
