import { timeZonesNames } from "@vvo/tzdb";
import { z } from "zod";
import { text } from "@/lib/chat/params/param.ts";
import { EMAIL_VISIBILITY } from "@/lib/chat/users/model.ts";
import { booleanSetting, numberChoiceSetting, personalSetting, setting } from "./setting.ts";

const { everyone, members, admins, nobody, moderators } = EMAIL_VISIBILITY;

/** Zones at a fixed offset from UTC, as browsers report them; the sign follows POSIX. */
const FIXED_ZONES = [
  "UTC",
  "GMT",
  "Etc/UTC",
  "Etc/GMT",
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `Etc/GMT-${index + 1}`),
];

/**
 * Accepted names: current ones, older ones that browsers still report, and the empty text for no time zone.
 */
const ZONES = new Set(["", ...FIXED_ZONES, ...timeZonesNames, ...Intl.supportedValuesOf("timeZone")]);

/** Current names of time zones, by which a user chooses one. */
export const TIME_ZONES: readonly string[] = [...new Set(timeZonesNames)].sort();

const zoneSchema = z.string().refine((name) => ZONES.has(name), { error: "Not a recognized time zone" });

/** Setting of the user's time zone. */
const timezone = setting(
  { ...text(), schema: zoneSchema },
  "",
  "Your time zone by its IANA name, such as `Europe/Berlin`; empty for none.",
);

/**
 * Settings of what other users can see about a user, and of mail about the service; only the user changes
 * them.
 */
export const PRIVACY_SETTINGS = {
  presence_enabled: personalSetting(booleanSetting(true, "Whether other users can see when you are active.")),
  enable_digest_emails: personalSetting(
    booleanSetting(true, "Whether you receive a digest by email after an absence."),
  ),
  enable_login_emails: personalSetting(
    booleanSetting(true, "Whether you receive an email about each new sign-in to your account."),
  ),
  enable_marketing_emails: personalSetting(
    booleanSetting(true, "Whether you receive email with news about the service."),
  ),
  send_stream_typing_notifications: personalSetting(
    booleanSetting(true, "Whether other users see you typing in channels."),
  ),
  send_private_typing_notifications: personalSetting(
    booleanSetting(true, "Whether other users see you typing direct messages."),
  ),
  send_read_receipts: personalSetting(
    booleanSetting(true, "Whether other users see which messages you have read."),
  ),
  allow_private_data_export: personalSetting(
    booleanSetting(false, "Whether administrators can export your private messages."),
  ),
  email_address_visibility: personalSetting(
    numberChoiceSetting(
      [everyone, members, admins, nobody, moderators],
      everyone,
      "The users who can see your email address: 1 everyone, 2 members and above, 3 administrators, 4 " +
        "nobody, 5 moderators and administrators.",
    ),
  ),
  timezone: personalSetting(timezone),
};
