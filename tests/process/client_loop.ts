/**
 * A client's event loop, in a process of its own because it has no end: prints every event as a line of JSON.
 * Arguments: the server's address, a user name, an API key, and the types of events.
 */
import zulip from "zulip-js";

const [realm = "", username = "", apiKey = "", ...types] = Deno.args;
const client = await zulip({ realm, username, apiKey });
await client.callOnEachEvent((event: { readonly type: string }) => {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
}, types);
