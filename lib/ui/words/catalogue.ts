import { auditWords } from "./en/audit.ts";
import { channelWords } from "./en/channels.ts";
import { commonWords } from "./en/common.ts";
import { folderWords } from "./en/folders.ts";
import { organizationWords } from "./en/organization.ts";
import { linkifierWords } from "./en/linkifiers.ts";
import { invitationWords } from "./en/invitations.ts";
import { groupWords } from "./en/groups.ts";
import { permissionWords } from "./en/permissions.ts";
import { profileFieldWords } from "./en/profile_fields.ts";
import { shellWords } from "./en/shell.ts";
import { userWords } from "./en/users.ts";
import { statsWords } from "./en/stats.ts";
import { toPseudo } from "./pseudo.ts";

const english = {
  common: commonWords,
  shell: shellWords,
  folders: folderWords,
  organization: organizationWords,
  audit: auditWords,
  users: userWords,
  linkifiers: linkifierWords,
  invitations: invitationWords,
  permissions: permissionWords,
  groups: groupWords,
  channels: channelWords,
  profileFields: profileFieldWords,
  stats: statsWords,
};

/** Every text of the admin pages, by area. */
export type Words = typeof english;

/** Languages that there are words in; the last two are for tests: marked English, left to right and right to left. */
export const LANGUAGES = ["en", "en-XA", "ar-XB"] as const;

/** The words of one of LANGUAGES; of any other, the English ones. */
export function wordsOf(language: string): Words {
  if (language === "en-XA") return toPseudo(english, "ltr");
  if (language === "ar-XB") return toPseudo(english, "rtl");
  return english;
}
