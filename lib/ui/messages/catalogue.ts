import { REALM_SETTING_TEXTS } from "@/lib/chat/organizations/settings.ts";
import { PERMISSION_TEXTS } from "@/lib/chat/permissions/model/registry.ts";
import { activityMessages } from "./en/activity.ts";
import { auditMessages } from "./en/audit.ts";
import { botMessages } from "./en/bots.ts";
import { bulkActionMessages } from "./en/bulk_actions.ts";
import { chartMessages } from "./en/charts.ts";
import { channelMessages } from "./en/channels.ts";
import { commonMessages } from "./en/common.ts";
import { organizationMessages } from "./en/organization.ts";
import { overviewMessages } from "./en/overview.ts";
import { invitationMessages } from "./en/invitations.ts";
import { permissionMessages } from "./en/permissions.ts";
import { profileFieldMessages } from "./en/profile_fields.ts";
import { shellMessages } from "./en/shell.ts";
import { userMessages } from "./en/users.ts";
import { statsMessages } from "./en/stats.ts";
import { translate } from "./pseudo.ts";

const english = {
  common: commonMessages,
  shell: shellMessages,
  overview: overviewMessages,
  organization: { ...organizationMessages, fields: REALM_SETTING_TEXTS },
  audit: auditMessages,
  users: userMessages,
  bots: botMessages,
  bulkActions: bulkActionMessages,
  invitations: invitationMessages,
  permissions: { ...permissionMessages, settings: PERMISSION_TEXTS },
  channels: channelMessages,
  profileFields: profileFieldMessages,
  activity: activityMessages,
  charts: chartMessages,
  stats: statsMessages,
};

/** All messages of the admin pages, by area. */
export type Messages = typeof english;

/** Languages with messages; the last two are pseudo-languages for tests, left to right and right to left. */
export const LANGUAGES = ["en", "en-XA", "ar-XB"] as const;

/** Returns the messages of one of LANGUAGES; the English ones for any other. */
export function messagesOf(language: string): Messages {
  return translate(language, english);
}
