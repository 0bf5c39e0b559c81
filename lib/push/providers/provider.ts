/** An encrypted notification for one device. */
export interface ProviderNotification {
  /** Device token of the provider. */
  readonly token: string;
  /** Id of the app that the token belongs to; null if the provider needs none. */
  readonly appId: string | null;
  /** Id of the device's key that encrypts it. */
  readonly pushKeyId: number;
  /** Base64. */
  readonly encryptedData: string;
  readonly priority: "high" | "normal";
}

/** Result of a delivery: accepted, token no longer known to the provider, or to be retried. */
export type DeliveryResult = "delivered" | "gone" | "later";

/** A provider that delivers notifications to devices. */
export interface Provider {
  /** Sends a notification. Resolves within some seconds and never rejects. */
  send(notification: ProviderNotification): Promise<DeliveryResult>;
}

/** An access token of a provider, used until a time in milliseconds since 1970 UTC. */
export interface ProviderToken {
  readonly token: string;
  readonly until: number;
}

/** Cache of one access token. Concurrent callers share one request for it. */
interface TokenCache {
  /** Returns a valid token. Rejects if none can be obtained. */
  get(): Promise<string>;
  /** Marks a token as refused, so that it is not returned again. */
  invalidate(token: string): void;
}

/** Creates a cache for the tokens that `request` obtains. */
export function createTokenCache(now: () => number, request: () => Promise<ProviderToken>): TokenCache {
  let cached: Promise<ProviderToken> | null = null;
  let refused: string | null = null;
  const isValid = ({ token, until }: ProviderToken) => until > now() && token !== refused;
  const renew = () => {
    const requested = request();
    cached = requested;
    // After a failure, the next caller requests a token again.
    requested.catch(() => cached = cached === requested ? null : cached);
    return requested;
  };
  return {
    async get() {
      const current = cached ?? renew();
      const token = await current;
      if (isValid(token)) return token.token;
      // Another caller may have requested a new token meanwhile.
      return (await (cached === null || cached === current ? renew() : cached)).token;
    },
    invalidate: (token) => void (refused = token),
  };
}
