import { z } from "zod";
import { userSchema } from "../users/schema.ts";

const api_key = z.string().meta({ description: "32 letters and digits." });
const email = z.string().meta({ description: "The account's real address." });

/** What a password fetches. */
export const passwordKeySchema = z.object({ api_key, email, user_id: z.int() });

/** What a signed token fetches; the account only when it was asked for. */
export const tokenKeySchema = z.object({ api_key, email, user: userSchema.optional() });

/** A new key. */
export const newKeySchema = z.object({ api_key });
