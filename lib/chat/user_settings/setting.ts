import { bool, choice, described, int, intChoice, optional, type Param } from "../params/param.ts";

/** What a setting's value can be. */
export type SettingValue = boolean | number | string;

/** One setting: the parameter that changes it, its value at first, and who may change it. */
export interface Setting<T extends SettingValue> extends Param<T | undefined> {
  readonly byDefault: T;
  /** Whether nobody but its user may change it. */
  readonly isPersonal: boolean;
  /** Why a value that is of the right kind is refused all the same, or null. */
  findProblem?(value: T): string | null;
}

/** A setting that a parameter changes. */
export function setting<T extends SettingValue>(
  param: Param<T>,
  byDefault: NoInfer<T>,
  description: string,
): Setting<T> {
  return { ...described(optional(param), description), byDefault, isPersonal: false };
}

/** A setting that is on or off. */
export function flag(byDefault: boolean, description: string): Setting<boolean> {
  return setting(bool(), byDefault, description);
}

/** A setting that takes one of some numbers. */
export function oneOf<const N extends number>(
  choices: readonly N[],
  byDefault: NoInfer<N>,
  description: string,
): Setting<N> {
  return setting(intChoice(choices), byDefault, description);
}

/** A setting that takes one of some words. */
export function word<const T extends string>(
  choices: readonly T[],
  byDefault: NoInfer<T>,
  description: string,
): Setting<T> {
  return setting(choice(choices), byDefault, description);
}

/** The largest of the sizes, which leaves room for any screen. */
const MAX_SIZE = 32_767;

/** A setting that takes a size: a whole number from 1 to 32,767. */
export function size(byDefault: number, description: string): Setting<number> {
  const sizes = int();
  const schema = sizes.schema
    .refine((value) => value >= 1 && value <= MAX_SIZE, { error: `Must be from 1 to ${MAX_SIZE}` })
    .meta({ minimum: 1, maximum: MAX_SIZE });
  return setting({ ...sizes, schema }, byDefault, description);
}

/** The same setting, which nobody but its user may change. */
export function personal<T extends SettingValue>(original: Setting<T>): Setting<T> {
  return { ...original, isPersonal: true };
}

/** The same setting, which refuses some values with a sentence; they are judged after all parameters were read. */
export function judged<T extends SettingValue>(
  original: Setting<T>,
  findProblem: (value: T) => string | null,
): Setting<T> {
  return { ...original, findProblem };
}
