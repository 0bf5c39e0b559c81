/** Account that a program signs in with. */
export interface ApiKeyFile {
  readonly email: string;
  readonly key: string;
  /** Public address of the organization. */
  readonly site: string;
}

/** Name with which the file is downloaded. */
export const API_KEY_FILE_NAME = "sottorc";

/** Returns the configuration file that command-line clients and programs read. */
export function formatApiKeyFile({ email, key, site }: ApiKeyFile): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Returns the file as a `data:` address to download. */
export function toApiKeyFileUrl(file: ApiKeyFile): string {
  return `data:application/octet-stream,${encodeURIComponent(formatApiKeyFile(file))}`;
}
