import { REALM_SETTING_TEXTS } from "@/lib/chat/organization/organizations/settings.ts";
import { PERMISSION_TEXTS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { ROLE_NAMES } from "../texts.ts";
import { translate } from "../translate.ts";
import { bulkActionMessages } from "./en/bulk_actions.ts";
import { channelMessages } from "./en/channels.ts";
import { commonMessages } from "./en/common.ts";
import { organizationMessages } from "./en/organization.ts";
import { invitationMessages } from "./en/invitations.ts";
import { permissionMessages } from "./en/permissions.ts";
import { profileFieldMessages } from "./en/profile_fields.ts";
import { userMessages } from "./en/users.ts";

const english = {
  common: commonMessages,
  shell: { roles: ROLE_NAMES },
  organization: { ...organizationMessages, fields: REALM_SETTING_TEXTS },
  users: userMessages,
  bulkActions: bulkActionMessages,
  invitations: invitationMessages,
  permissions: { ...permissionMessages, settings: PERMISSION_TEXTS },
  channels: channelMessages,
  profileFields: profileFieldMessages,
};

/** All messages of the admin pages, by area. */
export type Messages = typeof english;

/** Returns the messages of one of LANGUAGES; the English ones for any other. */
export function messagesOf(language: string): Messages {
  return translate(language, english);
}
