import { EMAIL_VISIBILITY } from "../users/user.ts";
import { flag, oneOf, personal } from "./setting.ts";
import { timezone } from "./time_zone.ts";

const { everyone, members, admins, nobody, moderators } = EMAIL_VISIBILITY;

/** What others learn about a user, and what he is sent about the service; most of it is his alone to decide. */
export const PRIVACY_SETTINGS = {
  presence_enabled: personal(flag(true, "Whether others see that you are there.")),
  enable_digest_emails: personal(flag(true, "Whether you are mailed a digest when you were away.")),
  enable_login_emails: personal(flag(true, "Whether you are mailed when somebody signs in as you.")),
  enable_marketing_emails: personal(flag(true, "Whether you are mailed news about the service.")),
  send_stream_typing_notifications: personal(flag(true, "Whether others see you type in channels.")),
  send_private_typing_notifications: personal(flag(true, "Whether others see you type direct messages.")),
  send_read_receipts: personal(flag(true, "Whether others see which messages you have read.")),
  allow_private_data_export: personal(
    flag(false, "Whether administrators may export your private messages."),
  ),
  email_address_visibility: personal(
    oneOf(
      [everyone, members, admins, nobody, moderators],
      everyone,
      "Who sees your address: 1 everyone, 2 all but guests, 3 administrators, 4 nobody, 5 moderators.",
    ),
  ),
  timezone: personal(timezone),
};
