import ipaddr from "ipaddr.js";
import { createLru } from "@/lib/core/lru.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Number of texts whose client or group is remembered, and the longest of them. */
const MAX_REMEMBERED = 10_000;
const MAX_CHARACTERS = 100;

/** Determines the address of a request's client, believing trusted proxies only. */
type AddressReader = ReturnType<typeof createAddressReader>;

/** Creates a reader that believes X-Forwarded-For from the given addresses and CIDR ranges. */
export function createAddressReader(trustedProxies: readonly string[]) {
  const trusted = trustedProxies.map((text): Range => {
    return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : wholeAddress(ipaddr.process(text));
  });
  const isTrusted = (text: string) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return trusted.some(([network, bits]) =>
      address.kind() === network.kind() && address.match(network, bits)
    );
  };
  const findClient = (remote: string, forwardedFor: string) => {
    if (!isTrusted(remote)) return remote;
    const chain = forwardedFor.split(",").map((part) => part.trim());
    let client = remote;
    for (const address of chain.reverse()) {
      if (!ipaddr.isValid(address)) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
  const remembered = createLru<string, string>(MAX_REMEMBERED);
  return {
    /**
     * Returns the client's address: that of the connection or, behind trusted proxies, the rightmost address of
     * X-Forwarded-For that is not a trusted proxy.
     */
    read(remote: string, headers: Headers): string {
      // Reading a header of every request takes longer than the rest.
      if (trusted.length === 0) return remote;
      const forwardedFor = headers.get("x-forwarded-for");
      if (forwardedFor === null) return remote;
      if (forwardedFor.length > MAX_CHARACTERS) return findClient(remote, forwardedFor);
      const name = `${remote} ${forwardedFor}`;
      const known = remembered.get(name);
      if (known !== undefined) return known;
      const client = findClient(remote, forwardedFor);
      remembered.set(name, client);
      return client;
    },
  };
}

function wholeAddress(address: Address): Range {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/**
 * Returns the part of an address that identifies a household or host: a whole IPv4 address, or the first 64
 * bits of an IPv6 address.
 */
export function toAddressGroup(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/** Creates a function that returns the group of an address, or another text as it is, and remembers it. */
export function createGroupReader(): (text: string) => string {
  const groups = createLru<string, string>(MAX_REMEMBERED);
  return (text) => {
    const known = groups.get(text);
    if (known !== undefined) return known;
    const group = toAddressGroup(text);
    if (text.length <= MAX_CHARACTERS) groups.set(text, group);
    return group;
  };
}

/** Whether an address is a loopback address. */
export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";
}

/** Returns the client's address of a request. */
export function clientAddressOf(
  addresses: AddressReader,
  request: Request,
  info: Deno.ServeHandlerInfo,
): string {
  const { remoteAddr } = info;
  const remote = "hostname" in remoteAddr ? remoteAddr.hostname : "";
  return addresses.read(remote, request.headers);
}
