import { listPresences } from "../presence/list_presences.ts";
import { changedPresencesSchema } from "../presence/schema.ts";
import { part } from "./part.ts";

/** Who was there lately, and from where to ask for changes. */
export const presence = part(
  "presence",
  changedPresencesSchema,
  ({ app, realm, user, users, presence }) => listPresences(app, { realm, user, users }, presence),
);
