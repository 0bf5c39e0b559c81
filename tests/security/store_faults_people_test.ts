import { startWriteCast } from "@/tests/casts/write_cast.ts";
import { toApiWrite } from "@/tests/casts/write_examples.ts";
import { listPeopleExamples } from "@/tests/casts/write_examples_people.ts";
import { requireNoFaults } from "./fault_walk.ts";

Deno.test("requests about people are answered cleanly and leave nothing half done when a call of the store fails", async () => {
  await using cast = await startWriteCast();
  await requireNoFaults(cast, listPeopleExamples(cast).map((example) => toApiWrite(cast, example)));
});
