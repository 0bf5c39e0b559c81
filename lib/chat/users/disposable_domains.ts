import domains from "disposable-email-domains/index.json" with { type: "json" };

/** Domains of disposable email services, in lower case. */
export const disposableDomains: ReadonlySet<string> = new Set(domains);
