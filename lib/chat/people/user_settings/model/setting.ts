import {
  bool,
  choice,
  described,
  int,
  intChoice,
  optional,
  type Param,
} from "@/lib/chat/organization/params/param.ts";

export type SettingValue = boolean | number | string;

/** A setting: the parameter that changes it, its default value and its restrictions. */
export interface Setting<T extends SettingValue> extends Param<T | undefined> {
  readonly defaultValue: T;
  /** Whether only the user can change it, and no administrator. */
  readonly isPersonal: boolean;
  /** Returns the reason for refusing a value of the right type, or null when the value is valid. */
  findProblem?(value: T): string | null;
}

export function setting<T extends SettingValue>(
  param: Param<T>,
  defaultValue: NoInfer<T>,
  description: string,
): Setting<T> {
  return { ...described(optional(param), description), defaultValue, isPersonal: false };
}

export function booleanSetting(defaultValue: boolean, description: string): Setting<boolean> {
  return setting(bool(), defaultValue, description);
}

export function numberChoiceSetting<const N extends number>(
  choices: readonly N[],
  defaultValue: NoInfer<N>,
  description: string,
): Setting<N> {
  return setting(intChoice(choices), defaultValue, description);
}

export function textChoiceSetting<const T extends string>(
  choices: readonly T[],
  defaultValue: NoInfer<T>,
  description: string,
): Setting<T> {
  return setting(choice(choices), defaultValue, description);
}

/** Largest size; leaves room for any screen. */
const MAX_SIZE = 32_767;

/** Creates a setting that takes a size: an integer from 1 to 32,767. */
export function sizeSetting(defaultValue: number, description: string): Setting<number> {
  const sizes = int();
  const schema = sizes.schema
    .refine((value) => value >= 1 && value <= MAX_SIZE, { error: `Must be from 1 to ${MAX_SIZE}` })
    .meta({ minimum: 1, maximum: MAX_SIZE });
  return setting({ ...sizes, schema }, defaultValue, description);
}

/** Returns a copy of the setting that only the user can change. */
export function personalSetting<T extends SettingValue>(original: Setting<T>): Setting<T> {
  return { ...original, isPersonal: true };
}

/** Returns the setting with values that are refused once all parameters were read. */
export function validatedSetting<T extends SettingValue>(
  original: Setting<T>,
  findProblem: (value: T) => string | null,
): Setting<T> {
  return { ...original, findProblem };
}
