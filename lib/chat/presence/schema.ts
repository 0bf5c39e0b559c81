import { z } from "zod";

const seconds = z.int().meta({ description: "Seconds since 1970 UTC." });
const serverTime = z.number().meta({ description: "Seconds since 1970 UTC, with a fraction." });
const status = z.enum(["active", "idle"]);

const presenceSchema = z.object({
  aggregated: z.object({ client: z.string(), status, timestamp: seconds }),
  website: z.object({ client: z.string(), status, timestamp: seconds, pushable: z.boolean() }),
}).meta({ id: "Presence" });

const slimPresenceSchema = z.object({ active_timestamp: seconds, idle_timestamp: seconds })
  .meta({ id: "SlimPresence" });

/** Everybody's presence by address. */
export const presencesSchema = z.object({
  presences: z.record(z.string(), presenceSchema),
  server_timestamp: serverTime,
});

/** Everybody's presence in the form that was asked for, and where to go on from. */
export const changedPresencesSchema = z.object({
  presences: z.record(z.string(), z.union([presenceSchema, slimPresenceSchema])).meta({
    description: "By address, or by user id where that was asked for.",
  }),
  presence_last_update_id: z.int().meta({ description: "-1 before the first report." }),
  server_timestamp: serverTime,
});

const personalStatus = z.object({ status: z.enum(["active", "idle", "offline"]), timestamp: seconds });

/** One account's presence. */
export const onePresenceSchema = z.object({
  presence: z.object({ aggregated: personalStatus, website: personalStatus }),
});
