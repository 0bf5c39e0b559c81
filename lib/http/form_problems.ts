import { AppError } from "@/lib/core/errors.ts";

/** What is wrong with a form: a sentence by the field's name; `form` for what belongs to no field. */
export type FormProblems = Readonly<Record<string, string>>;

/** Checks each field by itself, so that a form is told all that is wrong with it at once. */
export async function findProblems(
  checks: Readonly<Record<string, () => unknown>>,
): Promise<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const [field, check] of Object.entries(checks)) {
    const problem = await problemOf(check);
    if (problem !== null) problems[field] = problem;
  }
  return problems;
}

/** The sentence with which something is refused, or null. */
export async function problemOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
