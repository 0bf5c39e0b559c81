import { AppError } from "@/lib/core/errors.ts";
import { foldDomain } from "../realm/email_domain.ts";

/** The longest name of a domain, and of one part of it (RFC 1035, 2.3.4). */
const MAX_DOMAIN = 255;

/**
 * A domain in the form in which it is kept.
 * @throws AppError BAD_REQUEST for what is no domain.
 */
export function requireDomain(text: string): string {
  const typed = text.trim();
  // What is far too long is not worked on.
  const domain = typed.length > MAX_DOMAIN ? typed : foldDomain(typed);
  const problem = problemOf(domain);
  if (problem !== null) throw new AppError("BAD_REQUEST", `Invalid domain: ${problem}`);
  return domain;
}

function problemOf(domain: string): string | null {
  if (domain === "") return "Domain can't be empty.";
  if (!domain.includes(".")) return "Domain must have at least one dot (.)";
  if (domain.length > MAX_DOMAIN) return "Domain is too long";
  if (domain.startsWith(".") || domain.endsWith(".")) return "Domain cannot start or end with a dot (.)";
  const parts = domain.split(".");
  if (parts.includes("")) return "Consecutive '.' are not allowed.";
  if (parts.some((part) => part.startsWith("-") || part.endsWith("-"))) {
    return "Subdomains cannot start or end with a '-'.";
  }
  return parts.every((part) => /^[a-z0-9-]+$/.test(part))
    ? null
    : "Domain can only have letters, numbers, '.' and '-'s.";
}
