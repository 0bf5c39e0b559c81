import assert from "node:assert/strict";
import { parseEmailList } from "@/lib/chat/joining/invites/create_invites.ts";
import { mergeAddresses, toCheckedAddresses, toListed } from "@/lib/ui/checked_address.ts";

const noor = { email: "noor@example.org", name: "Lake, Noor", problem: null };

Deno.test("toListed() formats addresses as the invitation list parses them", () => {
  const addresses = [
    { email: "noor@example.org", name: "Lake, Noor" },
    { email: "ines@example.org", name: "" },
    { email: "kim@example.org", name: "Kim O'Neil" },
  ];
  assert.deepEqual(parseEmailList(addresses.map(toListed).join("\n")), addresses);
});

Deno.test("mergeAddresses() keeps each address once, in its first spelling", () => {
  const other = { ...noor, email: "NOOR@example.org" };
  const ines = { ...noor, email: "ines@example.org" };
  assert.deepEqual(mergeAddresses([noor], [other, ines]), [noor, ines]);
});

Deno.test("toCheckedAddresses() skips values of another shape", () => {
  assert.deepEqual(toCheckedAddresses([noor, null, 7, { email: "x" }, { ...noor, problem: 1 }]), [noor]);
  assert.deepEqual(toCheckedAddresses("no list"), []);
});
