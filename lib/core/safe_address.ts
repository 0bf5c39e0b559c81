import { z } from "zod";

/** An address that secrets may be sent to: over TLS, or within this machine. */
export const safeAddress = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
});
