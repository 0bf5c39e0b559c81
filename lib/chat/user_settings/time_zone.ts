import { timeZonesNames } from "@vvo/tzdb";
import { z } from "zod";
import { text } from "../params/param.ts";
import { setting } from "./setting.ts";

/** Zones at a fixed distance from UTC, as browsers name them where there is no place; signs as POSIX has them. */
const FIXED_ZONES = [
  "UTC",
  "GMT",
  "Etc/UTC",
  "Etc/GMT",
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `Etc/GMT-${index + 1}`),
];

/** Names that places have today, and those that browsers still use for some of them; empty where none was chosen. */
const ZONES = new Set(["", ...FIXED_ZONES, ...timeZonesNames, ...Intl.supportedValuesOf("timeZone")]);

const zoneSchema = z.string().refine((name) => ZONES.has(name), { error: "Not a recognized time zone" });

/** The setting of the time zone that a user lives in. */
export const timezone = setting(
  { ...text(), schema: zoneSchema },
  "",
  "Your time zone by its IANA name, such as `Europe/Berlin`; empty for none.",
);
