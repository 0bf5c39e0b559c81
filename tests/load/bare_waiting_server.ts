/** The bare limit of requests that wait: Deno.serve that holds each until its client is gone. Argument: the port. */
const [port] = Deno.args;

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen: () => {} }, ({ signal, url }) => {
  if (new URL(url).pathname === "/health") return new Response();
  const gone = Promise.withResolvers<Response>();
  signal.addEventListener("abort", () => gone.resolve(new Response()));
  return gone.promise;
});
