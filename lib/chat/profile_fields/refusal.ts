import { AppError } from "@/lib/core/errors.ts";

/** A refusal that names, for forms, the input that it is about: a parameter of the API. */
export function refusal(input: string, message: string): AppError {
  return new AppError("BAD_REQUEST", message, { errors: [{ code: "custom", path: [input], message }] });
}

/** The refusal of an id that no profile field has. */
export function fieldNotFound(id: number): AppError {
  return new AppError("BAD_REQUEST", `Field id ${id} not found.`);
}
