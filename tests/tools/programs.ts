// Writes the sections of docs/clients.md about programs from the list of the page "Connect an app".
import { withPrograms } from "@/tests/helpers/clients_document.ts";

const FILE = "docs/clients.md";

await Deno.writeTextFile(FILE, withPrograms(await Deno.readTextFile(FILE)));
const { success } = await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", FILE] }).output();
if (!success) Deno.exit(1);
