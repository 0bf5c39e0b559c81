import type { Clock } from "@/lib/core/clock.ts";
import type { Store } from "@/lib/kv/open.ts";

/** What a bouncer works with: a server that hands notifications of other servers on to the providers. */
export interface BouncerApp {
  readonly store: Store;
  readonly clock: Clock;
  /** Seals tokens of devices. */
  readonly secretKey: Uint8Array;
  /** The keys that registrations are sealed for, in Base64 of 32 bytes; none: this server is no bouncer. */
  readonly keys: readonly { readonly public_key: string; readonly private_key: string }[];
}
