import { AppError } from "@/lib/core/errors.ts";
import { toPageProblem } from "./page_problem.ts";

/** Problems of a form: a sentence by field name; `form` for those of no single field. */
export type FormProblems = Readonly<Record<string, string>>;

/** Checks each field separately, so that a form shows all of its problems at once. */
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

/** Returns the message of a refusal, or null. */
async function problemOf(work: () => unknown): Promise<string | null> {
  const refusal = await refusalOf(work);
  return refusal === null ? null : toPageProblem(refusal);
}

/** Returns the refusal that some work ends with, or null. */
export async function refusalOf(work: () => unknown): Promise<AppError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
