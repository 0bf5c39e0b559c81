import domains from "disposable-email-domains/index.json" with { type: "json" };

/** Domains of services that give addresses out for minutes, in small letters. */
export const disposableDomains: ReadonlySet<string> = new Set(domains);
