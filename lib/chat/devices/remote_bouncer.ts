import type { ChatApp } from "../app.ts";

/** The server that hands notifications on for this one. */
export interface RemoteBouncer {
  /** Its API, without a final slash. */
  readonly api: string;
  /** Basic credentials by which it knows this server. */
  readonly authorization: string;
}

/** The bouncer that this server is to use; null without one, be it that this server is a bouncer itself. */
export function remoteBouncer({ config }: Pick<ChatApp, "config">): RemoteBouncer | null {
  const { pushBouncerUrl, pushOrgId, pushOrgKey } = config;
  if (pushBouncerUrl === null || pushOrgId === null || pushOrgKey === null) return null;
  const credentials = new TextEncoder().encode(`${pushOrgId}:${pushOrgKey}`).toBase64();
  return { api: `${pushBouncerUrl}/api/v1`, authorization: `Basic ${credentials}` };
}

/** Whether this server can tell devices of messages: through a bouncer, or being one. */
export function isPushConfigured(app: Pick<ChatApp, "config">): boolean {
  return remoteBouncer(app) !== null || app.config.pushBouncerKeys.length > 0;
}
