import { AppError } from "@/lib/core/errors.ts";

/** The refusal of somebody who may not do what was asked for. */
export function insufficientPermission(): AppError {
  return new AppError("BAD_REQUEST", "Insufficient permission");
}
