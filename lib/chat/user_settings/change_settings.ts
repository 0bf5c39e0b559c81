import type { ChatApp } from "../app.ts";
import type { AccountHolder } from "./caller.ts";
import { changeSettingsOfOthers } from "./change_for_others.ts";
import { changeOwnSettings } from "./change_own.ts";
import type { SettingsValues } from "./params.ts";

/**
 * Does what `PATCH /settings` asks for: changes the caller's own account and settings, or other people's settings.
 * @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL or RATE_LIMIT_HIT; then nothing has changed.
 */
export async function changeSettings(
  app: ChatApp,
  caller: AccountHolder,
  values: SettingsValues,
): Promise<void> {
  const { target_users: targets } = values;
  if (targets === undefined) return await changeOwnSettings(app, caller, values);
  await changeSettingsOfOthers(app, { realm: caller.realm, actingUser: caller.user, targets, values });
}
