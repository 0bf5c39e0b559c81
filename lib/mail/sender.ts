/** The From of every mail: the configured one, or `Sotto <noreply@HOST>` with the public address's host. */
export function mailSender(config: { readonly mailFrom: string | null; readonly baseUrl: string }): string {
  return config.mailFrom ?? `Sotto <noreply@${toMailDomain(new URL(config.baseUrl).hostname)}>`;
}

/** Numeric addresses stand in brackets after an `@`. */
function toMailDomain(hostname: string): string {
  if (hostname.startsWith("[")) return `[IPv6:${hostname.slice(1)}`;
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}
