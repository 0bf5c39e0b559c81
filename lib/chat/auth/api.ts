import { z } from "zod";
import { bool, described, exact, text, withDefault } from "../params/param.ts";
import { userSchema } from "../users/api.ts";

/** Parameters of POST /fetch_api_key. */
export const fetchApiKeyParams = {
  username: described(exact(text()), "Email address of the account."),
  password: described(exact(text()), "Password of the account."),
};

/** Parameters of POST /jwt/fetch_api_key. */
export const fetchApiKeyByTokenParams = {
  token: described(
    withDefault(exact(text()), ""),
    "Signed JSON Web Token with the account's email address as the claim `email`. Required.",
  ),
  include_profile: described(withDefault(bool(), false), "Whether to include the user in the response."),
};

const api_key = z.string().meta({ description: "API key: 32 letters and digits." });
const email = z.string().meta({ description: "Real email address of the account." });

/** Response schema of POST /fetch_api_key. */
export const fetchedApiKeySchema = z.object({ api_key, email, user_id: z.int() });

/** Response schema of POST /jwt/fetch_api_key; includes the user on request only. */
export const fetchedApiKeyByTokenSchema = z.object({ api_key, email, user: userSchema.optional() });

/** Response schema of a regenerated API key. */
export const newApiKeySchema = z.object({ api_key });
