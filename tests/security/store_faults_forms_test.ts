import { startWriteCast } from "@/tests/casts/write_cast.ts";
import { listAdminForms } from "@/tests/casts/write_examples_pages.ts";
import { requireNoFaults } from "./fault_walk.ts";

Deno.test("forms of administration pages are answered cleanly and leave nothing half done when a call of the store fails", async () => {
  await using cast = await startWriteCast();
  await requireNoFaults(cast, await listAdminForms(cast));
});
