import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Tells who a request comes from, through the proxies that are trusted and no others. */
export interface AddressReader {
  /**
   * The client's address: the connection's, or, behind trusted proxies, the first address from the right of
   * X-Forwarded-For that is no trusted proxy.
   */
  read(remote: string, forwardedFor: string | null): string;
}

/** Believes X-Forwarded-For from these addresses and CIDR ranges. */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
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
  return {
    read(remote, forwardedFor) {
      if (forwardedFor === null || !isTrusted(remote)) return remote;
      const chain = forwardedFor.split(",").map((part) => part.trim());
      let client = remote;
      for (const address of chain.reverse()) {
        if (!ipaddr.isValid(address)) break;
        client = address;
        if (!isTrusted(address)) break;
      }
      return client;
    },
  };
}

function wholeAddress(address: Address): Range {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** The part of an address that one household or host has: an IPv4 address whole, of an IPv6 address the first 64 bits. */
export function toAddressGroup(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/** Whether an address is this machine itself. */
export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";
}

/** The client's address of one request. */
export function clientAddressOf(
  addresses: AddressReader,
  request: Request,
  info: Deno.ServeHandlerInfo,
): string {
  const { remoteAddr } = info;
  const remote = "hostname" in remoteAddr ? remoteAddr.hostname : "";
  return addresses.read(remote, request.headers.get("x-forwarded-for"));
}
