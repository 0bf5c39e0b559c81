import type { BouncerApp } from "@/lib/bouncer/remote_server.ts";

/** A video call service that is reached through OAuth 2. */
export interface VideoProvider {
  /** Display name. */
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly authorize_url: string;
  readonly token_url: string;
  readonly create_url: string;
  /** Field of the response that holds the call's address, if it is not a common one. */
  readonly url_field?: string | undefined;
}

export interface ChatConfig {
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Keys of signed tokens, by the organization's subdomain. */
  readonly jwtAuthKeys: Readonly<
    Record<string, { readonly key: string; readonly algorithms: readonly string[] }>
  >;
  /** Greatest age of a signed token in seconds; 0 allows any, also tokens without a time of issue. */
  readonly jwtMaxAgeSeconds: number;
  /** Whether email reaches its recipients; otherwise it is written to files, or waits. */
  readonly isMailDelivered: boolean;
  readonly invitationLinkValidityMinutes: number;
  /** Maximum number of reads of the store that one request of an account makes to find messages. */
  readonly searchMaxReads: number;
  /** Allowed requests per number of seconds; null disables the limits. */
  readonly rateLimits:
    | Readonly<Record<"invitations" | "mail_recipient", { points: number; seconds: number }>>
    | null;
  readonly webPublicStreamsEnabled: boolean;
  readonly canAccessAllUsersGroupLimitsPresence: boolean;
  readonly uploadMaxMib: number;
  /** Video call service of this server; null for none. */
  readonly videoProvider: VideoProvider | null;
  /** Maximum total size of an organization's uploads in MiB; 0 means without limit. */
  readonly uploadQuotaMib: number;
  /** Address of the push bouncer, without a trailing slash, and this server's credentials for it. */
  readonly pushBouncerUrl: string | null;
  readonly pushOrgId: string | null;
  readonly pushOrgKey: string | null;
  /** Internal addresses and CIDR ranges that outgoing webhooks may reach. */
  readonly webhookInternalNetworks: readonly string[];
  /** Keys of this server's own bouncer; empty when it runs none. */
  readonly pushBouncerKeys: BouncerApp["keys"];
}

/** Services with the chat's configuration. */
export interface Configured {
  readonly config: ChatConfig;
}
