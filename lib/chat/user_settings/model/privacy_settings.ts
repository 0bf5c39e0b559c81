import { timeZonesNames } from "@vvo/tzdb";
import { z } from "zod";
import { text } from "@/lib/chat/params/param.ts";
import { EMAIL_VISIBILITY } from "@/lib/chat/users/model.ts";
import { booleanSetting, numberChoiceSetting, personalSetting, setting } from "./setting.ts";

const { everyone, members, admins, nobody, moderators } = EMAIL_VISIBILITY;

/** Current names of time zones, by which a user chooses one; `Intl` lists former ones, such as `Europe/Kiev`. */
export const TIME_ZONES: readonly string[] = [...new Set(timeZonesNames)].sort();

/** Maximum length of the name of a time zone; IANA names have 32 characters at most. */
const MAX_ZONE_NAME = 64;

/**
 * Returns a name of a time zone, current or former, in its IANA spelling; null for an unknown name. Names that
 * only `Intl` knows, such as `PST`, keep their spelling; the empty text stands for none.
 */
function spellTimeZone(name: string): string | null {
  if (name === "") return "";
  // Offsets and timestamps, which name no zone, begin with a sign or a digit.
  if (name.length > MAX_ZONE_NAME || !/^[a-z]/i.test(name)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return null;
  }
  try {
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId;
  } catch {
    return name;
  }
}

const zoneSchema = z.string()
  .refine((name) => spellTimeZone(name) !== null, { error: "Not a recognized time zone" })
  .overwrite((name) => spellTimeZone(name) ?? name);

/** Setting of the user's time zone. */
const timezone = setting(
  { ...text(), schema: zoneSchema },
  "",
  "Your time zone by an IANA name, current or former, such as `Europe/Berlin` or `US/Pacific`; empty for none.",
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
