import assert from "node:assert/strict";
import { requireDomain } from "@/lib/chat/organizations/require_domain.ts";
import { foldDomain } from "@/lib/chat/realm/email_domain.ts";
import { DEFAULT_REALM_SETTINGS, type RealmSettings } from "@/lib/chat/realm/realm.ts";
import { addressProblem, requireAllowedAddress } from "@/lib/chat/users/address_policy.ts";

function problem(settings: Partial<RealmSettings>, address: string): Promise<string | null> {
  return addressProblem({ settings: { ...DEFAULT_REALM_SETTINGS, ...settings } }, address);
}

const OUTSIDE = "Outside your domain.";
const PLUS = "Email addresses containing + are not allowed.";
const DISPOSABLE = "Please use your real email address.";
const RESTRICTED = {
  emails_restricted_to_domains: true,
  domains: [
    { domain: "example.com", allow_subdomains: false },
    { domain: "team.example.org", allow_subdomains: true },
    { domain: "xn--bcher-kva.example", allow_subdomains: true },
  ],
};

Deno.test("addressProblem() takes everybody but disposable addresses where nothing is decided", async () => {
  assert.equal(await problem({}, "a@example.com"), null);
  assert.equal(await problem({}, "a+b@example.com"), null);
  for (const address of ["a@mailinator.com", "A@MailInator.COM", "a+b@mailinator.com"]) {
    assert.equal(await problem({}, address), DISPOSABLE);
    assert.equal(await problem({ disallow_disposable_email_addresses: false }, address), null);
  }
  // Domains alone restrict nothing.
  assert.equal(await problem({ domains: RESTRICTED.domains }, "a@elsewhere.example"), null);
});

Deno.test("addressProblem() keeps to the domains, in any case, with subdomains where they count", async () => {
  for (const address of ["a@example.com", "a@EXAMPLE.Com", "a@team.example.org", "a@x.y.Team.example.org"]) {
    assert.equal(await problem(RESTRICTED, address), null, address);
  }
  const outside = [
    "a@sub.example.com",
    "a@notexample.com",
    "a@example.com.evil.example",
    "a@example.org",
    "a@notteam.example.org",
    "a@.team.example.net",
    '"a@example.com"@evil.example',
    "a@mailinator.com",
  ];
  for (const address of outside) assert.equal(await problem(RESTRICTED, address), OUTSIDE, address);
  assert.equal(await problem({ ...RESTRICTED, domains: [] }, "a@example.com"), OUTSIDE);
});

Deno.test("addressProblem() knows an international domain in both of its forms", async () => {
  const decomposed = "a@bu\u0308cher.example";
  for (const address of ["a@bücher.example", "a@BÜCHER.example", decomposed, "a@x.xn--bcher-kva.example"]) {
    assert.equal(await problem(RESTRICTED, address), null, address);
  }
  assert.equal(await problem(RESTRICTED, "a@bucher.example"), OUTSIDE);
  // A letter of another script that looks alike is another one.
  assert.equal(await problem(RESTRICTED, "a@ex\u0430mple.com"), OUTSIDE);
});

Deno.test("addressProblem() refuses + before the @ alone, and only within a restriction", async () => {
  assert.equal(await problem(RESTRICTED, "a+b@example.com"), PLUS);
  assert.equal(await problem(RESTRICTED, "a+b@elsewhere.example"), PLUS);
  assert.equal(await problem({}, "a+b@example.com"), null);
});

Deno.test("a restriction needs no second look at disposable addresses", async () => {
  const domains = [{ domain: "mailinator.com", allow_subdomains: false }];
  const settings = { emails_restricted_to_domains: true, domains };
  assert.equal(await problem(settings, "a@mailinator.com"), null);
});

Deno.test("requireAllowedAddress() refuses with the reason", async () => {
  const settings = { ...DEFAULT_REALM_SETTINGS, ...RESTRICTED };
  await requireAllowedAddress({ settings }, "a@example.com");
  await assert.rejects(requireAllowedAddress({ settings }, "a@example.net"), {
    code: "BAD_REQUEST",
    message: OUTSIDE,
  });
});

Deno.test("requireDomain() gives a domain as it is kept", () => {
  assert.equal(requireDomain(" Example.COM "), "example.com");
  assert.equal(requireDomain("x-x.y.3.z"), "x-x.y.3.z");
  assert.equal(requireDomain("Bücher.example"), "xn--bcher-kva.example");
  assert.equal(foldDomain("xn--BCHER-kva.example"), "xn--bcher-kva.example");
});

Deno.test("the long list of disposable domains is loaded when it is first needed, not before", async () => {
  const args = ["info", "--json", "lib/chat/users/address_policy.ts"];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { modules }: { modules: Module[] } = JSON.parse(new TextDecoder().decode(stdout));
  const uses = modules.flatMap(({ dependencies = [] }) => dependencies)
    .filter(({ specifier }) => specifier.endsWith("disposable_domains.ts"));
  assert.deepEqual(uses.map(({ isDynamic }) => isDynamic), [true]);
});

interface Module {
  readonly dependencies?: readonly { readonly specifier: string; readonly isDynamic?: boolean }[];
}
