import type { Row } from "@/tests/casts/access_matrix/row.ts";
import { BOT_ROWS } from "./rows_bots.ts";
import { CHANNEL_CONTENT_ROWS } from "./rows_channel_contents.ts";
import { CHANNEL_LIST_ROWS, CHANNEL_ROWS } from "./rows_channels.ts";
import { FILE_ROWS } from "./rows_files.ts";
import { GROUP_ROWS } from "./rows_groups.ts";
import { INVITATION_ROWS } from "./rows_invitations.ts";
import { LINK_ROWS } from "./rows_links.ts";
import { MESSAGE_ROWS } from "./rows_messages.ts";
import { NAMED_USER_ROWS } from "./rows_named_users.ts";
import { OWN_ROWS, PERSONAL_ROWS } from "./rows_personal.ts";
import { PUBLIC_ROWS } from "./rows_public.ts";
import { REALM_ROWS } from "./rows_realm.ts";
import { SCHEDULED_ROWS } from "./rows_scheduled.ts";
import { SUBSCRIPTION_ROWS } from "./rows_subscriptions.ts";
import { USER_ROWS } from "./rows_users.ts";

/**
 * The rows of all operations. The columns of their tables are: none, spectator; guest, restricted guest; member,
 * moderator, admin, owner; bot; account of another organization, deactivated account.
 */
export const ROWS: readonly Row[] = [
  ...CHANNEL_ROWS,
  ...CHANNEL_LIST_ROWS,
  ...SUBSCRIPTION_ROWS,
  ...CHANNEL_CONTENT_ROWS,
  ...MESSAGE_ROWS,
  ...SCHEDULED_ROWS,
  ...FILE_ROWS,
  ...USER_ROWS,
  ...NAMED_USER_ROWS,
  ...BOT_ROWS,
  ...GROUP_ROWS,
  ...INVITATION_ROWS,
  ...REALM_ROWS,
  ...PERSONAL_ROWS,
  ...OWN_ROWS,
  ...PUBLIC_ROWS,
  ...LINK_ROWS,
];
