import { startWriteCast } from "@/tests/casts/write_cast.ts";
import { toApiWrite } from "@/tests/casts/write_examples.ts";
import { listConversationExamples } from "@/tests/casts/write_examples_conversations.ts";
import { requireNoFaults } from "./fault_walk.ts";

Deno.test("requests about conversations are answered cleanly and leave nothing half done when a call of the store fails", async () => {
  await using cast = await startWriteCast();
  await requireNoFaults(cast, listConversationExamples(cast).map((example) => toApiWrite(cast, example)));
});
