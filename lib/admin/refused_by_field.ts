import { AppError } from "@/lib/core/errors.ts";
import { FormRefusal } from "./admin_page.ts";

/**
 * Assigns the problems of a refusal to the fields that they name, and those between several fields to `between`.
 */
export async function refusedByField<T>(work: () => Promise<T>, between = "form"): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BAD_REQUEST") throw error;
    const problems = readErrors(error.details.extra?.["errors"], between);
    throw new FormRefusal(Object.keys(problems).length > 0 ? problems : { form: error.message });
  }
}

function readErrors(errors: unknown, between: string): Readonly<Record<string, string>> {
  if (typeof errors !== "object" || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field === "__all__" ? between : field,
      Array.isArray(messages) ? messages.join(" ") : String(messages),
    ]),
  );
}
