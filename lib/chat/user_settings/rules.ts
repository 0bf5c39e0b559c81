import { AppError } from "@/lib/core/errors.ts";
import type { SettingValue } from "./setting.ts";
import { listSent, type SentSettings, type SettingName, settingOf } from "./table.ts";

/** What is kept of a user's settings, those aside that stand in the account itself. */
export interface SettingsRecord {
  /** What differs from the default. */
  readonly values: Readonly<Partial<Record<SettingName, SettingValue>>>;
  /** The settings that the user changed himself, at any time. */
  readonly edited: readonly SettingName[];
}

/** A setting that has another value than before. */
export interface ChangedSetting {
  readonly name: SettingName;
  readonly value: SettingValue;
}

/** How a change is made: by the user himself or not, and whether it spares what he once changed. */
export interface ChangeManner {
  readonly isOwn: boolean;
  readonly sparesEdited: boolean;
}

/** The settings that stand in the account itself, because others see them. */
const ACCOUNT_SETTINGS: readonly SettingName[] = ["email_address_visibility", "timezone"];

/** The record after a change, and what in it is other than before; what stands in the account is left out. */
export function changeRecord(
  { values, edited }: SettingsRecord,
  sent: SentSettings,
  { isOwn, sparesEdited }: ChangeManner,
): { record: SettingsRecord; changed: readonly ChangedSetting[] } {
  const changed = listSent(sent)
    .filter(([name]) => !ACCOUNT_SETTINGS.includes(name) && !(sparesEdited && edited.includes(name)))
    .filter(([name, value]) => (values[name] ?? settingOf(name).byDefault) !== value)
    .map(([name, value]) => ({ name, value }));
  const all = { ...values, ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) };
  const names = changed.map(({ name }) => name);
  return {
    record: {
      values: Object.fromEntries(
        listSent(all).filter(([name, value]) => settingOf(name).byDefault !== value),
      ),
      edited: isOwn ? [...new Set([...edited, ...names])] : edited,
    },
    changed,
  };
}

/**
 * Refuses values that are of the right kind and yet stand for nothing: unknown languages and sounds, endless periods.
 * @throws AppError BAD_REQUEST for the first of them.
 */
export function requireMeaningful(sent: SentSettings): void {
  for (const [name, value] of listSent(sent)) {
    const problem = settingOf(name).findProblem?.(value) ?? null;
    if (problem !== null) throw new AppError("BAD_REQUEST", problem);
  }
}

/**
 * Refuses to change for others what is theirs alone.
 * @throws AppError BAD_REQUEST.
 */
export function requireImpersonal(
  sent: SentSettings & { readonly email?: string | undefined; readonly new_password?: string | undefined },
): void {
  const isOwnAffair = sent.email !== undefined || sent.new_password !== undefined ||
    listSent(sent).some(([name]) => settingOf(name).isPersonal);
  if (isOwnAffair) throw new AppError("BAD_REQUEST", "Cannot change this setting for other users.");
}
