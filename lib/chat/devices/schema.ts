import { z } from "zod";

const deviceSchema = z.object({
  push_key_id: z.int().nullable().meta({
    description: "Names the key that its notifications are encrypted with.",
  }),
  push_token_id: z.string().nullable().meta({
    description: "Names the token that notifications are sent to.",
  }),
  pending_push_token_id: z.string().nullable().meta({
    description: "Names the token that is being registered, or that could not be.",
  }),
  push_token_last_updated_timestamp: z.int().nullable().meta({
    description: "When it last sent a token, in seconds since 1970 UTC.",
  }),
  push_registration_error_code: z.enum(["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"])
    .nullable().meta({ description: "Why the last registration failed." }),
}).meta({ id: "Device" });

/** The devices of an account by their ids. */
export const devicesSchema = z.object({
  devices: z.record(z.string(), deviceSchema).meta({ description: "By the device's id." }),
});

/** The answer of registering a device. */
export const addedDeviceSchema = z.object({ device_id: z.int() });
