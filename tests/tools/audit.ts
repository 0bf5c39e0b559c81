/**
 * Lists the known vulnerabilities of the locked packages, and fails when one of them is of high severity. Where the
 * registry has no list of vulnerabilities, one line says that nothing was checked.
 */
import { print } from "./suite.ts";

const ARGUMENTS = ["audit", "--level=high", "--ignore-registry-errors", "--frozen-lockfile"];
/** Message of the audit when it got no answer. */
const NO_ANSWER = "Failed to get data from the registry";

const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: ARGUMENTS }).output();
const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
if (code === 0 && errors?.includes(NO_ANSWER)) {
  print("Known vulnerabilities were not checked: the registry did not answer the audit.");
} else {
  print(`${output}${errors}`.trim());
}
Deno.exit(code);
