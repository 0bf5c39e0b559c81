import { z } from "zod";
import { boundedString, described, json, optional } from "../params/param.ts";
import { record } from "../params/record.ts";
import {
  MAX_STORAGE_BYTES,
  MAX_STORAGE_ENTRIES,
  MAX_STORAGE_NAME,
  MAX_STORAGE_VALUE_BYTES,
} from "./model.ts";

/** Parameters of storing values. */
export const updateStorageParams = {
  storage: described(
    json(record(z.string())),
    "Texts by key; other keys keep their values. " +
      `At most ${MAX_STORAGE_ENTRIES} keys of ${MAX_STORAGE_NAME} characters, ` +
      `${MAX_STORAGE_VALUE_BYTES} bytes for each value and ${MAX_STORAGE_BYTES} bytes in all.`,
  ),
};

const keys = optional(json(z.array(boundedString()).max(MAX_STORAGE_ENTRIES)));

/** Parameters of reading values. */
export const getStorageParams = {
  keys: described(keys, "Keys whose values are returned; all by default."),
};

/** Parameters of removing values. */
export const removeStorageParams = { keys: described(keys, "Keys to remove; all by default.") };

/** Response of reading values. */
export const storageSchema = z.object({
  storage: z.record(z.string(), z.string()).meta({ description: "Texts by key." }),
});
