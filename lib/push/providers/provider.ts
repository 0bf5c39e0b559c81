/** One notification on its way to a device. */
export interface Delivery {
  /** The provider's name for the device. */
  readonly token: string;
  /** The application that the token belongs to; null where the provider needs none. */
  readonly appId: string | null;
  /** Which of the device's keys it is encrypted with. */
  readonly pushKeyId: number;
  /** Base64. */
  readonly encryptedData: string;
  readonly priority: "high" | "normal";
}

/** What became of a delivery: taken, not known to the provider any more, or to be tried again. */
export type DeliveryResult = "delivered" | "gone" | "later";

/** Hands notifications to devices. */
export interface Provider {
  /** Settles within some seconds, whatever the provider does; it never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
}

/** A token for a provider, and until when it is used, in milliseconds since 1970 UTC. */
export interface ProviderToken {
  readonly token: string;
  readonly until: number;
}

/** Keeps a token while it may be used; those who come together wait for one. */
export interface TokenKeeper {
  /** A token that may be used; rejects when none can be made. */
  get(): Promise<string>;
  /** Drops a token that was refused. */
  forget(token: string): void;
}

/** A keeper of tokens that `make` makes. */
export function createTokenKeeper(now: () => number, make: () => Promise<ProviderToken>): TokenKeeper {
  let kept: Promise<ProviderToken> | null = null;
  let refused: string | null = null;
  const isGood = ({ token, until }: ProviderToken) => until > now() && token !== refused;
  const renew = () => {
    const made = make();
    kept = made;
    // Whoever comes next tries again.
    made.catch(() => kept = kept === made ? null : kept);
    return made;
  };
  return {
    async get() {
      const current = kept ?? renew();
      const found = await current;
      if (isGood(found)) return found.token;
      // Somebody else may have asked for another one meanwhile.
      return (await (kept === null || kept === current ? renew() : kept)).token;
    },
    forget: (token) => void (refused = token),
  };
}
