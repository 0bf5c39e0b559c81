import { z } from "zod";
import { bool, described, optional, scalar, text, withDefault } from "../params/param.ts";

/** Parameter of the maximum age of the returned presence in days. */
export const historyDays = described(
  optional(scalar(z.int().min(0))),
  "The maximum age of the returned presence in days: 14 by default, 0 for none.",
);

/** Parameters of a presence report. */
export const reportPresenceParams = {
  status: described(text(), "`active` after recent activity, otherwise `idle`."),
  ping_only: described(withDefault(bool(), false), "Whether the response omits the presence of other users."),
  new_user_input: described(
    withDefault(bool(), false),
    "Whether there was activity since the last report; has no effect.",
  ),
  slim_presence: described(
    withDefault(bool(), false),
    "Whether the response identifies users by id rather than by email address.",
  ),
  last_update_id: described(
    optional(scalar(z.int().min(-1))),
    "The `presence_last_update_id` of the last response, or -1; only newer presence is returned, by user id.",
  ),
  history_limit_days: historyDays,
};

const seconds = z.int().meta({ description: "Seconds since 1970 UTC." });
const serverTime = z.number().meta({ description: "Seconds since 1970 UTC, with a fraction." });
const status = z.enum(["active", "idle"]);

const presenceSchema = z.object({
  aggregated: z.object({ client: z.string(), status, timestamp: seconds }),
  website: z.object({ client: z.string(), status, timestamp: seconds, pushable: z.boolean() }),
}).meta({ id: "Presence" });

const slimPresenceSchema = z.object({ active_timestamp: seconds, idle_timestamp: seconds })
  .meta({ id: "SlimPresence" });

/** Response of listing presence by email address. */
export const presencesSchema = z.object({
  presences: z.record(z.string(), presenceSchema),
  server_timestamp: serverTime,
});

/**
 * Response of a report: presence in the requested format, and the update id from which the client can
 * continue.
 */
export const changedPresencesSchema = z.object({
  presences: z.record(z.string(), z.union([presenceSchema, slimPresenceSchema])).meta({
    description: "By email address, or by user id if requested.",
  }),
  presence_last_update_id: z.int().meta({ description: "-1 before the first report." }),
  server_timestamp: serverTime,
});

const singleStatus = z.object({ status: z.enum(["active", "idle", "offline"]), timestamp: seconds });

/** Response of getting one user's presence. */
export const singlePresenceSchema = z.object({
  presence: z.object({ aggregated: singleStatus, website: singleStatus }),
});
