/**
 * A client's own loop in a process of its own, as it has no end: prints every event that it hears as a line of JSON.
 * Arguments: the server's address, a user name, an API key, and the types of events.
 */
import zulip from "zulip-js";

const [realm = "", username = "", apiKey = "", ...types] = Deno.args;
const client = await zulip({ realm, username, apiKey });
await client.callOnEachEvent((event: { readonly type: string }) => {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
}, types);
