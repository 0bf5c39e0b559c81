import { WeakPassword, type WeakPasswordReason } from "@/lib/chat/auth/passwords.ts";
import type { AppError } from "@/lib/core/errors.ts";

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
  return error instanceof WeakPassword ? WEAK_PASSWORDS[error.reason] : error.message;
}
