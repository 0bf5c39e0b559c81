/**
 * Fills a new store with people by the code of another checkout, and prints them as JSON. Runs with the configuration of
 * that checkout. Arguments: the checkout's folder with a trailing slash, the path of the store.
 */
const [project = "", store = ""] = Deno.args;
const { seedChat } = await import(`file://${project}tests/load/chat_seeding.ts`);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(await seedChat(store))));
