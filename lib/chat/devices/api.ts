import { z } from "zod";
import { choice, described, int, optional, scalar, text } from "../params/param.ts";

/** Largest id of a push key: an unsigned 32-bit integer. */
const MAX_KEY_ID = 2 ** 32 - 1;
/** Maximum length of a token id, the same as at the bouncer. */
const MAX_TOKEN_ID = 100;
/** Maximum length of a public key. Base64 of 32 bytes has 44 characters. */
const MAX_PUBLIC_KEY = 200;
/**
 * Maximum length of a sealed registration: twice that of a 4,096-character token in Base64, and still a valid
 * record.
 */
const MAX_REGISTRATION = 12_000;

const deviceId = described(int(), "Device id from `POST /register_client_device`.");
const keyId = z.int().refine((id) => id >= 0 && id <= MAX_KEY_ID, {
  error: "Not a valid unsigned 32-bit integer",
}).meta({ minimum: 0, maximum: MAX_KEY_ID });

/** Parameters of `POST /remove_client_device`. */
export const deleteDeviceParams = { device_id: deviceId };

/** Parameters of `POST /mobile_push/register`. */
export const registerForPushParams = {
  device_id: deviceId,
  push_key_id: optional(described(scalar(keyId), "Id of the key, chosen by the device.")),
  push_key: optional(described(text({ max: 200 }), "Base64 of the byte 0x31 followed by a 32-byte key.")),
  token_kind: optional(described(choice(["apns", "fcm"]), "Provider of the token.")),
  token_id: optional(
    described(
      text({ max: MAX_TOKEN_ID, min: 1 }),
      "Base64 of the first 8 bytes of the token's SHA-256.",
    ),
  ),
  bouncer_public_key: optional(
    described(
      text({ max: MAX_PUBLIC_KEY }),
      "Base64 of the bouncer's public key that the registration is sealed for.",
    ),
  ),
  encrypted_push_registration: optional(
    described(
      text({ max: MAX_REGISTRATION }),
      "Base64 of the sealed JSON with `token`, `token_kind`, `timestamp` and, for `apns`, `ios_app_id`.",
    ),
  ),
};

const deviceSchema = z.object({
  push_key_id: z.int().nullable().meta({
    description: "Id of the key that encrypts the device's notifications.",
  }),
  push_token_id: z.string().nullable().meta({
    description: "Id of the token that notifications are sent to.",
  }),
  pending_push_token_id: z.string().nullable().meta({
    description: "Id of the token that is being registered, or whose registration failed.",
  }),
  push_token_last_updated_timestamp: z.int().nullable().meta({
    description: "Time at which the device last sent a token, in seconds since 1970 UTC.",
  }),
  push_registration_error_code: z.enum(["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"])
    .nullable().meta({ description: "Reason for which the last registration failed." }),
}).meta({ id: "Device" });

/** A user's devices by id, as initial state. */
export const devicesSchema = z.object({
  devices: z.record(z.string(), deviceSchema).meta({ description: "Devices by id." }),
});

/** Response of `POST /register_client_device`. */
export const createdDeviceSchema = z.object({ device_id: z.int() });

/** Parameters of a push token of an older app. */
export const pushTokenParams = { token: described(text(), "The token of the device.") };

/** Parameters of a push token of an older app that names itself. */
export const appPushTokenParams = {
  ...pushTokenParams,
  appid: described(optional(text()), "Id of the app."),
};
