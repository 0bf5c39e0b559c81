import type { ChatApp } from "../app.ts";
import type { SettingsValues } from "./api.ts";
import type { AccountCaller } from "./model/account.ts";
import { updateOwnSettings } from "./update_own_settings.ts";
import { updateSettingsForUsers } from "./update_settings_for_users.ts";

/**
 * Updates the caller's own account and settings, or the settings of other users when target users are given.
 * @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL or RATE_LIMIT_HIT; nothing has changed then.
 */
export async function updateSettings(
  app: ChatApp,
  caller: AccountCaller,
  values: SettingsValues,
): Promise<void> {
  const { target_users: targets } = values;
  if (targets === undefined) return await updateOwnSettings(app, caller, values);
  await updateSettingsForUsers(app, { realm: caller.realm, actingUser: caller.user, targets, values });
}
