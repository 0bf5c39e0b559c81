import assert from "node:assert/strict";
import { foldDomain, requireDomain } from "@/lib/chat/organization/organizations/model.ts";
import {
  DEFAULT_REALM_SETTINGS,
  type RealmSettings,
} from "@/lib/chat/organization/organizations/settings.ts";
import { findEmailProblem, requireAllowedEmail } from "@/lib/chat/organization/users/model.ts";

function findProblem(settings: Partial<RealmSettings>, address: string): Promise<string | null> {
  return findEmailProblem({ settings: { ...DEFAULT_REALM_SETTINGS, ...settings } }, address);
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

Deno.test("findEmailProblem() accepts all but disposable addresses by default", async () => {
  assert.equal(await findProblem({}, "a@example.com"), null);
  assert.equal(await findProblem({}, "a+b@example.com"), null);
  for (const address of ["a@mailinator.com", "A@MailInator.COM", "a+b@mailinator.com"]) {
    assert.equal(await findProblem({}, address), DISPOSABLE);
    assert.equal(await findProblem({ disallow_disposable_email_addresses: false }, address), null);
  }
  // A list of domains restricts nothing while the restriction is off.
  assert.equal(await findProblem({ domains: RESTRICTED.domains }, "a@elsewhere.example"), null);
});

Deno.test("findEmailProblem() restricts addresses to the domains, ignoring case, including subdomains where allowed", async () => {
  for (const address of ["a@example.com", "a@EXAMPLE.Com", "a@team.example.org", "a@x.y.Team.example.org"]) {
    assert.equal(await findProblem(RESTRICTED, address), null, address);
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
  for (const address of outside) assert.equal(await findProblem(RESTRICTED, address), OUTSIDE, address);
  assert.equal(await findProblem({ ...RESTRICTED, domains: [] }, "a@example.com"), OUTSIDE);
});

Deno.test("findEmailProblem() accepts both forms of an international domain", async () => {
  const decomposed = "a@bu\u0308cher.example";
  for (const address of ["a@bücher.example", "a@BÜCHER.example", decomposed, "a@x.xn--bcher-kva.example"]) {
    assert.equal(await findProblem(RESTRICTED, address), null, address);
  }
  assert.equal(await findProblem(RESTRICTED, "a@bucher.example"), OUTSIDE);
  // A similar letter of another script is a different letter.
  assert.equal(await findProblem(RESTRICTED, "a@ex\u0430mple.com"), OUTSIDE);
});

Deno.test("findEmailProblem() refuses + in the local part only when domains are restricted", async () => {
  assert.equal(await findProblem(RESTRICTED, "a+b@example.com"), PLUS);
  assert.equal(await findProblem(RESTRICTED, "a+b@elsewhere.example"), PLUS);
  assert.equal(await findProblem({}, "a+b@example.com"), null);
});

Deno.test("findEmailProblem() accepts a disposable domain that is listed explicitly", async () => {
  const domains = [{ domain: "mailinator.com", allow_subdomains: false }];
  const settings = { emails_restricted_to_domains: true, domains };
  assert.equal(await findProblem(settings, "a@mailinator.com"), null);
});

Deno.test("requireAllowedEmail() throws the reason", async () => {
  const settings = { ...DEFAULT_REALM_SETTINGS, ...RESTRICTED };
  await requireAllowedEmail({ settings }, "a@example.com");
  await assert.rejects(requireAllowedEmail({ settings }, "a@example.net"), {
    code: "BAD_REQUEST",
    message: OUTSIDE,
  });
});

Deno.test("requireDomain() returns a domain in its stored form", () => {
  assert.equal(requireDomain(" Example.COM "), "example.com");
  assert.equal(requireDomain("x-x.y.3.z"), "x-x.y.3.z");
  assert.equal(requireDomain("Bücher.example"), "xn--bcher-kva.example");
  assert.equal(foldDomain("xn--BCHER-kva.example"), "xn--bcher-kva.example");
});

Deno.test("the list of disposable domains is imported dynamically", async () => {
  const args = ["info", "--json", "lib/chat/organization/users/model.ts"];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { modules }: { modules: Module[] } = JSON.parse(new TextDecoder().decode(stdout));
  const imports = modules.flatMap(({ dependencies = [] }) => dependencies)
    .filter(({ specifier }) => specifier.endsWith("disposable-email-domains/index.json"));
  assert.deepEqual(imports.map(({ isDynamic }) => isDynamic), [true]);
});

interface Module {
  readonly dependencies?: readonly { readonly specifier: string; readonly isDynamic?: boolean }[];
}
