/** An account elsewhere that is known from the start. */
export interface ExternalAccount {
  readonly text: string;
  /** The address of an account; `%(username)s` stands for its name. */
  readonly url_pattern: string;
  /** The label of its field. */
  readonly name: string;
  readonly hint: string;
}

/** The accounts that are known from the start, by their subtype. */
export const EXTERNAL_ACCOUNTS: Readonly<Record<string, ExternalAccount>> = {
  twitter: {
    text: "Twitter",
    url_pattern: "https://twitter.com/%(username)s",
    name: "Twitter username",
    hint: "",
  },
  github: {
    text: "GitHub",
    url_pattern: "https://github.com/%(username)s",
    name: "GitHub username",
    hint: "",
  },
};

/** The account of a subtype that is known from the start, or null. */
export function findExternalAccount(subtype: string): ExternalAccount | null {
  return Object.hasOwn(EXTERNAL_ACCOUNTS, subtype) ? EXTERNAL_ACCOUNTS[subtype] ?? null : null;
}
