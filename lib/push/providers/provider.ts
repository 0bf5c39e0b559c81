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
  get(): Promise<string>;
  /** Drops a token that was refused. */
  forget(): void;
}

/** A keeper of tokens that `make` makes. */
export function createTokenKeeper(
  now: () => number,
  make: () => Promise<ProviderToken>,
): TokenKeeper {
  let kept: Promise<ProviderToken> | null = null;
  const renew = () => {
    const made = make();
    kept = made;
    // Whoever comes next tries again.
    made.catch(() => kept = kept === made ? null : kept);
    return made;
  };
  return {
    async get() {
      const found = await (kept ?? renew());
      return found.until > now() ? found.token : (await renew()).token;
    },
    forget: () => void (kept = null),
  };
}
