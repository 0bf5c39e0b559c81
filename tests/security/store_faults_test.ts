import assert from "node:assert/strict";
import { createSetupToken } from "@/lib/chat/people/auth/confirmations.ts";
import { startWriteCast, type WriteCast } from "@/tests/casts/write_cast.ts";
import { toApiWrite } from "@/tests/casts/write_examples.ts";
import { listConversationExamples } from "@/tests/casts/write_examples_conversations.ts";
import { listAccountForms, listAdminForms, listOtherExamples } from "@/tests/casts/write_examples_pages.ts";
import { listPeopleExamples } from "@/tests/casts/write_examples_people.ts";
import { listAllRoutes } from "@/tests/helpers/admin_routes.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { FaultyStore } from "@/tests/helpers/faulty_store.ts";
import { requireNoFaults } from "./fault_walk.ts";

/** Paths whose handlers are functions without a list of their methods. */
const RESUMABLE = ["POST /api/v1/tus", "PATCH /api/v1/tus/{upload_id}", "DELETE /api/v1/tus/{upload_id}"];
/** Needs a server without an organization. */
const SETUP = "POST /setup";

Deno.test("links, uploads and account pages are answered cleanly and leave nothing half done when a call of the store fails", async () => {
  await using cast = await startWriteCast();
  await requireNoFaults(cast, [...listOtherExamples(cast), ...listAccountForms(cast)]);
});

Deno.test("setting up is answered cleanly and leaves nothing half done when a call of the store fails", async () => {
  const faulty = await FaultyStore.open();
  await using app = await startTestApp({ store: faulty.store });
  const token = await createSetupToken(app.services.chat) ?? "";
  await faulty.takeSnapshot();
  const owner = { full_name: "Ada Green", email: "ada@example.com", password: "violet kettle seldom 42" };
  const headers = { accept: "text/html", "sec-fetch-site": "same-origin" };
  const send = () => {
    const body = new URLSearchParams({ token, organization: "Gardeners", ...owner });
    return app.request("/setup", { method: "POST", headers, body });
  };
  await requireNoFaults({ ...app, faulty }, [{ endpoint: SETUP, face: "page", send }]);
});

Deno.test("every request that writes has an example", async () => {
  await using cast = await startWriteCast();
  const examples = [
    ...[...listPeopleExamples(cast), ...listConversationExamples(cast)].map((one) => toApiWrite(cast, one)),
    ...[...listOtherExamples(cast), ...listAccountForms(cast), ...await listAdminForms(cast)],
  ];
  // Of a page with several forms, one example for each of them.
  const named = new Set(examples.map(({ endpoint }) => endpoint.split(" ").slice(0, 2).join(" ")));
  const missing = (await listWrites(cast)).filter((endpoint) => !named.has(endpoint) && endpoint !== SETUP);
  assert.deepEqual(missing, []);
});

/** Lists the methods and paths of all routes that may change something. */
async function listWrites({ services }: WriteCast): Promise<string[]> {
  const writes = [...RESUMABLE];
  for (const { path, load } of await listAllRoutes(services)) {
    const { handler } = Object(await load());
    const methods = Object.keys(Object(Object(handler).byMethod)).filter((method) => method !== "GET");
    writes.push(...methods.map((method) => `${method} ${path}`));
  }
  assert.ok(writes.length > 100);
  return writes;
}
