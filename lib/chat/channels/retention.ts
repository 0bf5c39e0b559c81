import { AppError } from "@/lib/core/errors.ts";
import { UNLIMITED_RETENTION } from "./channel.ts";

/**
 * For how many days messages are kept, from what a request says: null is as the organization has it.
 * @throws AppError REQUEST_VARIABLE_INVALID.
 */
export function toRetention(sent: number | string): number | null {
  if (sent === "realm_default") return null;
  if (sent === "unlimited") return UNLIMITED_RETENTION;
  if (typeof sent === "number" && Number.isSafeInteger(sent) && sent > 0) return sent;
  const name = "message_retention_days";
  throw new AppError("REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${sent}`, {
    extra: { var_name: name, bad_value: sent },
  });
}
