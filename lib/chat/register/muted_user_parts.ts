import { z } from "zod";
import { readMutedUsers, toMutedUsers } from "../users/muted_user.ts";
import { part } from "./part.ts";

const mutedUserSchema = z.object({
  id: z.int(),
  timestamp: z.int().meta({ description: "When the user was muted, in seconds since 1970 UTC." }),
});

/** The people whom the caller mutes. */
export const mutedUsers = part(
  "muted_users",
  z.object({ muted_users: z.array(mutedUserSchema) }),
  async ({ app, realm, user }) => ({
    muted_users: toMutedUsers(await readMutedUsers(app, realm.id, user.id)),
  }),
);
