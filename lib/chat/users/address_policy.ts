import { AppError } from "@/lib/core/errors.ts";
import { foldDomain } from "../realm/email_domain.ts";
import type { RealmRecord } from "../realm/realm.ts";

/** Why an organization takes no accounts with an address; null where it does. The address is a valid one. */
export async function addressProblem(
  { settings }: Pick<RealmRecord, "settings">,
  address: string,
): Promise<AddressProblem | null> {
  const [name = "", domain = ""] = splitAddress(address);
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

/** The reasons for which a valid address is refused. */
export type AddressProblem =
  | "Email addresses containing + are not allowed."
  | "Outside your domain."
  | "Please use your real email address.";

/**
 * Lets an address through that the organization takes.
 * @throws AppError BAD_REQUEST with the reason for any other.
 */
export async function requireAllowedAddress(
  realm: Pick<RealmRecord, "settings">,
  address: string,
): Promise<void> {
  const problem = await addressProblem(realm, address);
  if (problem !== null) throw new AppError("BAD_REQUEST", problem);
}

/** A long list, loaded when it is first needed. */
async function isDisposable(domain: string): Promise<boolean> {
  const { disposableDomains } = await import("./disposable_domains.ts");
  return disposableDomains.has(domain);
}

function splitAddress(address: string): [string, string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at), foldDomain(address.slice(at + 1))];
}
