/** The bare limit of waiting requests: Deno.serve that holds each until its client is gone. Prints its port. */
import { printLine } from "./table.ts";

const onListen = ({ port }: Deno.NetAddr) => printLine(String(port));

Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, ({ signal }) => {
  const gone = Promise.withResolvers<Response>();
  signal.addEventListener("abort", () => gone.resolve(new Response()));
  return gone.promise;
});
