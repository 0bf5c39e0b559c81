import { z } from "zod";
import { choice, described, int, json, optional, text } from "../params/param.ts";

/** Push keys are named by unsigned integers of 32 bits. */
const MAX_KEY_ID = 2 ** 32 - 1;
/** The bouncer takes no longer ids of tokens. */
const MAX_TOKEN_ID = 100;
/** Base64 of a public key has 44 characters. */
const MAX_PUBLIC_KEY = 200;
/** Room for a token of 4,096 characters, sealed and in Base64, twice; in the widest characters it still fits a record. */
const MAX_SEALED = 12_000;

const deviceId = described(int(), "As `POST /register_client_device` gave it.");
const keyId = z.int().refine((id) => id >= 0 && id <= MAX_KEY_ID, {
  error: "Not a valid unsigned 32-bit integer",
}).meta({ minimum: 0, maximum: MAX_KEY_ID });

/** The parameters of removing a device. */
export const removeDeviceParams = { device_id: deviceId };

/** The parameters of registering a device for notifications. */
export const registerForPushParams = {
  device_id: deviceId,
  push_key_id: optional(described(json(keyId), "The device's own name of the key.")),
  push_key: optional(described(text({ max: 200 }), "Base64 of the byte 0x31 and a key of 32 bytes.")),
  token_kind: optional(described(choice(["apns", "fcm"]), "Whose token it is.")),
  token_id: optional(
    described(
      text({ max: MAX_TOKEN_ID, min: 1 }),
      "Base64 of the first 8 bytes of the SHA-256 of the token.",
    ),
  ),
  bouncer_public_key: optional(
    described(
      text({ max: MAX_PUBLIC_KEY }),
      "Base64 of the bouncer's key that the registration is sealed for.",
    ),
  ),
  encrypted_push_registration: optional(
    described(
      text({ max: MAX_SEALED }),
      "Base64 of the sealed JSON with `token`, `token_kind`, `timestamp` and, for `apns`, `ios_app_id`.",
    ),
  ),
};
