import { isDeepStrictEqual } from "node:util";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Params, ParamValues } from "@/lib/chat/params/param.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { isPermission } from "@/lib/chat/permissions/model/registry.ts";
import type { ActionContext } from "@/lib/chat/users/model.ts";
import type { AuditTarget, AuditValues, FieldValues } from "../model.ts";

/** A change to revert, within a transaction. */
export interface RevertContext extends ActionContext {
  readonly target: AuditTarget;
  readonly values: AuditValues;
}

/** Work that follows the commit of a reversal, such as a notice. */
export type FollowUp = () => Promise<unknown>;

/** Reverts changes of one kind of object. */
export interface Reversal {
  /** Returns the current values of the fields that the change set; null when the object no longer exists. */
  read(context: RevertContext): Promise<FieldValues | null>;
  /** Sets earlier values with the action of the object's domain, whose permissions apply. */
  apply(context: RevertContext, earlier: FieldValues): Promise<FollowUp | null>;
  /** Runs before the transaction. */
  prepare?(app: ChatApp, realmId: number): Promise<void>;
}

/** Returns those of the values that a change has set. */
export function pickChanged({ values }: RevertContext, all: FieldValues): FieldValues {
  return Object.fromEntries(Object.keys(values.after).map((name) => [name, all[name] ?? null]));
}

/** Returns the id of the changed object; NaN, which no object has, for another kind of id. */
export function targetId({ target }: RevertContext): number {
  return typeof target.id === "number" ? target.id : Number.NaN;
}

/** Whether two values of a field are equal. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns the ids in a value; none for any other value. */
export function toIds(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "number") : [];
}

/** Returns stored values as the validated parameters of a request; permissions become their new value.
 * @throws AppError for values that are no longer allowed. */
export function toParams<P extends Params>(params: P, values: FieldValues): ParamValues<P> {
  const fields = Object.entries(values).map(([name, value]): [string, string] => {
    const param = params[name];
    if (param?.encoding === "text" || param?.encoding === "trimmed") return [name, String(value)];
    return [name, JSON.stringify(isPermission(name) ? { new: value } : value)];
  });
  return readParams(params, new Map(fields)).values;
}

/**
 * Returns the earlier order of the objects that exist, followed by those that did not exist then.
 */
export function toEarlierOrder(earlier: unknown, current: readonly number[]): readonly number[] {
  const known = toIds(earlier).filter((id) => current.includes(id));
  return [...known, ...current.filter((id) => !known.includes(id))];
}
