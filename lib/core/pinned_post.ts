import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Response of a server whose address a user chose. */
interface PinnedResponse {
  readonly status: number;
  /** Body in UTF-8. */
  readonly text: string;
}

/** Limits of a request to a server whose address a user chose. */
interface PinnedLimits {
  /** Internal addresses and CIDR ranges that may be reached, also without TLS. */
  readonly allowedNetworks: readonly string[];
  /** Time for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the response's body, in bytes. */
  readonly maxBytes: number;
}

/** Error of a request that got no usable response. Its message names no address and may be shown to users. */
export class PinnedPostError extends Error {
  override readonly name = "PinnedPostError";

  constructor(message: string, readonly isPermanent: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/**
 * Posts JSON to a server whose address a user chose. The host name is resolved once, all of its addresses must
 * be permitted, and the connection goes to one of them, so that no later response of the name server matters.
 * Follows no redirects.
 * @throws PinnedPostError.
 */
export async function postPinned(url: URL, json: string, limits: PinnedLimits): Promise<PinnedResponse> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const late = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => late.reject(signal.reason));
  try {
    return await Promise.race([exchange(url, json, { limits, signal }), late.promise]);
  } catch (error) {
    if (error instanceof PinnedPostError) throw error;
    const seconds = Math.round(limits.timeoutMs / 1000);
    const reason = signal.aborted ? `No answer within ${seconds} seconds.` : "The connection failed.";
    throw new PinnedPostError(reason, false, { cause: error });
  }
}

async function exchange(
  url: URL,
  json: string,
  { limits, signal }: { limits: PinnedLimits; signal: AbortSignal },
): Promise<PinnedResponse> {
  const addresses = await resolvePermitted(url, limits.allowedNetworks);
  const body = new TextEncoder().encode(json);
  const response = await open(url, body, {
    method: "POST",
    agent: false,
    signal,
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      "accept": "application/json",
      "accept-encoding": "identity",
      "user-agent": "Sotto",
    },
    lookup: (_hostname, { all }, callback) => {
      const [{ address, family }] = addresses;
      if (all === true) callback(null, [...addresses]);
      else callback(null, address, family);
    },
  });
  return { status: response.statusCode ?? 0, text: await readText(response, limits.maxBytes) };
}

function open(url: URL, body: Uint8Array, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, resolve);
    request.on("error", reject);
    request.end(body);
  });
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of response) {
    const bytes = new Uint8Array(piece);
    size += bytes.length;
    if (size > maxBytes) {
      response.destroy();
      throw new PinnedPostError(`The answer is larger than ${Math.floor(maxBytes / 1024)} KiB.`, true);
    }
    pieces.push(bytes);
  }
  return await new Blob(pieces).text();
}

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Returns the addresses of a URL's host, at least one, all of which may be reached. */
async function resolvePermitted(
  url: URL,
  allowedNetworks: readonly string[],
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }];
  const [first, ...others] = addresses;
  const isAllowed = addresses.every(({ address }) => isInNetworks(address, allowedNetworks));
  const isReachable = isAllowed || addresses.every(({ address }) => isPublicAddress(address));
  if (!isReachable && isIP(host) !== 0) throw new PinnedPostError("The address is internal.", true);
  if (!isReachable || first === undefined) throw noPublicAddress();
  if (!isAllowed && url.protocol !== "https:") throw new PinnedPostError("The address is not https.", true);
  return [first, ...others];
}

async function resolve(host: string): Promise<readonly ResolvedAddress[]> {
  try {
    return await lookup(host, { all: true });
  } catch (error) {
    throw noPublicAddress({ cause: error });
  }
}

/** Returns one error for host names that do not exist and internal ones, so that nobody learns the names inside. */
function noPublicAddress(options?: ErrorOptions): PinnedPostError {
  return new PinnedPostError("The host name has no public address.", false, options);
}

/** Returns whether a URL names an address, rather than a host name, that requests may not reach. */
export function isForbiddenLiteral(url: URL, allowedNetworks: readonly string[]): boolean {
  const host = hostOf(url);
  return isIP(host) !== 0 && !isPublicAddress(host) && !isInNetworks(host, allowedNetworks);
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Returns whether an IP address belongs to a host on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // Addresses outside of 2000::/3 are not assigned to hosts of the internet.
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}

function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.isValidCIDR(network)
      ? ipaddr.parseCIDR(network)
      : [ipaddr.parse(network), null] as const;
    return base.kind() === parsed.kind() && parsed.match(base, bits ?? (base.kind() === "ipv4" ? 32 : 128));
  });
}
