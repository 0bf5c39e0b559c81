import { AppError } from "@/lib/core/errors.ts";
import { foldDomain, type RealmRecord } from "../organizations/model.ts";

/** Returns why an organization does not accept a valid address, or null when it does. */
export async function findEmailProblem(
  { settings }: Pick<RealmRecord, "settings">,
  address: string,
): Promise<EmailProblem | null> {
  const [name = "", domain = ""] = splitEmail(address);
  if (settings.emails_restricted_to_domains) {
    if (name.includes("+")) return "Email addresses containing + are not allowed.";
    const isOwn = settings.domains.some((own) =>
      domain === own.domain || (own.allow_subdomains && domain.endsWith(`.${own.domain}`))
    );
    return isOwn ? null : "Outside your domain.";
  }
  const isRefused = settings.disallow_disposable_email_addresses && await isDisposable(domain);
  return isRefused ? "Please use your real email address." : null;
}

/** Reasons to reject a valid address. */
export type EmailProblem =
  | "Email addresses containing + are not allowed."
  | "Outside your domain."
  | "Please use your real email address.";

/**
 * Requires an address that the organization accepts.
 * @throws AppError BAD_REQUEST with the reason.
 */
export async function requireAllowedEmail(
  realm: Pick<RealmRecord, "settings">,
  address: string,
): Promise<void> {
  const problem = await findEmailProblem(realm, address);
  if (problem !== null) throw new AppError("BAD_REQUEST", problem, { field: "email" });
}

/** Loads the list of domains on first use, as it is large. */
async function isDisposable(domain: string): Promise<boolean> {
  const { disposableDomains } = await import("./disposable_domains.ts");
  return disposableDomains.has(domain);
}

function splitEmail(address: string): [string, string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at), foldDomain(address.slice(at + 1))];
}
