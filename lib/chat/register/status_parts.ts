import { z } from "zod";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { listStatuses } from "../user_status/get_status.ts";
import { shownStatusSchema } from "../user_status/schema.ts";
import { part } from "./part.ts";

const statusesSchema = z.object({
  user_status: z.record(z.string(), shownStatusSchema)
    .meta({ description: "By the account's id; who says nothing is left out." }),
});

/** What the people that the caller may know of say of themselves. */
export const statuses = part(
  "user_status",
  statusesSchema,
  async ({ app, realm, user, permissions, users }) => {
    const all = await listStatuses(app, realm.id);
    if (all.size === 0) return { user_status: {} };
    const known = (await users()).filter((one) => one.is_active && canAccessUser(permissions, user, one));
    return {
      user_status: Object.fromEntries(
        known.flatMap(({ id }) => {
          const status = all.get(id);
          return status === undefined ? [] : [[String(id), status]];
        }),
      ),
    };
  },
);
