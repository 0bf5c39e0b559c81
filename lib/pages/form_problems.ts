import { AppError, STATUS } from "@/lib/core/errors.ts";
import { curlApostrophes } from "@/lib/core/text.ts";
import { WeakPassword, type WeakPasswordReason } from "@/lib/chat/people/auth/passwords.ts";

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

/** Sentences about weak passwords that say what to change. */
const WEAK_PASSWORDS: Readonly<Record<WeakPasswordReason, string>> = {
  short: "The password is too short. Use 8 or more characters.",
  personal: "The password contains your name, email address or organization. Choose other words.",
  common: "This password is on lists of common passwords. Choose another one.",
  pattern: "The password follows a pattern, such as a repetition, a sequence or a date. Add other words.",
  guessable: "The password is easy to guess. Add more words or characters.",
};

/** Returns the text of a refusal for a page: that of the API, or one that says more about what to do. */
export function toPageProblem(error: AppError): string {
  if (error.code === "AUTHENTICATION_FAILED") return "Your email address or password is incorrect.";
  if (error instanceof WeakPassword) return WEAK_PASSWORDS[error.reason];
  return curlApostrophes(error.message).replace(/!$/, ".");
}

/** Data of a page that answers a form, with the status and headers of the response. */
export interface PageOutcome<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the page that shows a refusal: with the refusal's status and, where there is one, the time to wait. */
export function refusedPage<Data>(data: Data, { code, details }: AppError): PageOutcome<Data> {
  const { retryAfter } = details;
  const headers = retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) };
  return { data, status: STATUS[code], headers };
}
