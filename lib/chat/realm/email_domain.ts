import { domainToASCII } from "node:url";

/** A domain in the one form that is compared: in small letters, international names as `xn--`. */
export function foldDomain(domain: string): string {
  const folded = domain.normalize("NFC").toLowerCase();
  return domainToASCII(folded) || folded;
}
