/** Account that a program signs in with. */
export interface ApiKeyFile {
  readonly email: string;
  readonly key: string;
  /** Public address of the organization. */
  readonly site: string;
}

/** Name of the file in which programs look for their account. */
export const API_KEY_FILE_NAME = "zuliprc";

/** Returns the configuration file of a program, as a `data:` address to download. */
export function toApiKeyFile({ email, key, site }: ApiKeyFile): string {
  const content = `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
  return `data:application/octet-stream,${encodeURIComponent(content)}`;
}
