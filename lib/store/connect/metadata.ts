import { z } from "zod";
import { systemClock } from "@/lib/core/clock.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { NetworkClock } from "./commit_gate.ts";

/** Versions of the protocol that the runtime's client speaks with the same headers. */
const SUPPORTED_VERSIONS = [2, 3];
/** Milliseconds after which the exchange is repeated, because tokens expire. */
const REFRESH_MS = 60_000;
/** Milliseconds within which the store has to answer the exchange. */
const DEADLINE_MS = 1500;

/** A KV Connect server, and the clock that follows its time. */
export interface KvConnection {
  readonly address: string;
  readonly accessToken: string;
  readonly clock: NetworkClock;
}

/** Response of a KV Connect server to the metadata exchange. */
export interface KvMetadata {
  readonly version: number;
  readonly databaseId: string;
  readonly token: string;
  /** Address of the strongly consistent endpoint, without a trailing slash. */
  readonly endpoint: string;
}

/** Error of a server that refuses the exchange, such as one for a wrong token; it is not repeated. */
export class MetadataRefused extends Error {
  override readonly name = "MetadataRefused";
}

const schema = z.object({
  version: z.literal([2, 3]),
  databaseId: z.string(),
  token: z.string(),
  endpoints: z.array(z.object({ url: z.string(), consistency: z.string() })),
});

/**
 * Exchanges the access token of a KV Connect server for its metadata.
 * @throws MetadataRefused when the server refuses the token, TypeError or TimeoutError when it does not answer.
 */
export async function fetchMetadata({ address, accessToken, clock }: KvConnection): Promise<KvMetadata> {
  const response = await clock.observe(() =>
    fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({ supportedVersions: SUPPORTED_VERSIONS }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
  );
  const text = await response.text();
  if (response.status >= 500) throw new TypeError(`status ${response.status}`);
  if (!response.ok) throw new MetadataRefused(`status ${response.status}: ${text.slice(0, 200)}`);
  const parsed = schema.safeParse(parseJson(text));
  const strong = parsed.data?.endpoints.find(({ consistency }) => consistency === "strong");
  if (!parsed.success || strong === undefined) throw new MetadataRefused("it is not a KV Connect server");
  const { version, databaseId, token } = parsed.data;
  return { version, databaseId, token, endpoint: new URL(strong.url, response.url || address).href };
}

/** Metadata of a server that is renewed while it is used. */
export class CurrentMetadata {
  #value: KvMetadata;
  #fetchedAt = systemClock.monotonic();
  #isFetching = false;

  constructor(readonly connection: KvConnection, first: KvMetadata) {
    this.#value = first;
  }

  /** Metadata at most a minute old, if the server answered the exchange. */
  get value(): KvMetadata {
    if (systemClock.monotonic() - this.#fetchedAt > REFRESH_MS) this.#refresh();
    return this.#value;
  }

  /** Whether the server answers the exchange. */
  async isAnswering(): Promise<boolean> {
    try {
      this.#value = await fetchMetadata(this.connection);
      this.#fetchedAt = systemClock.monotonic();
      return true;
    } catch (error) {
      // A server that refuses the token answers; its refusal of the next call says why.
      return error instanceof MetadataRefused;
    }
  }

  #refresh(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.isAnswering().finally(() => this.#isFetching = false);
  }
}
