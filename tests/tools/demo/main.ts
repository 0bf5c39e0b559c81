// Fills a store of its own with a demo organization; see USAGE in options.ts.
import { randomInt } from "node:crypto";
import { realmKeys } from "@/lib/chat/organization/organizations/model.ts";
import { readConfig, readEnvironment } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { maskForeignAccess } from "@/lib/core/private_files.ts";
import type { Store } from "@/lib/store/open.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { print } from "@/tests/tools/suite.ts";
import { emailOf, ORGANIZATION, PEOPLE } from "./content/people.ts";
import { readOptions, requireUsablePassword, UsageError } from "./options.ts";

const DEFAULT_STORE = "data/demo.kv";
/** Letters and digits of generated passwords, without those that look alike. */
const PASSWORD_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";
/** Settings of the server that stored content depends on. */
const SETTINGS = ["SECRET_KEY", "BASE_URL", "PORT"];

async function main(): Promise<number> {
  try {
    const { volumes, isLarge, password } = readOptions(Deno.args);
    if (password !== null) await requireUsablePassword(password);
    maskForeignAccess();
    // `.env` names the store of the real server, which the demo must not fill.
    const location = Deno.env.get("KV_URL") || DEFAULT_STORE;
    if (location === ":memory:") {
      throw new UsageError("A demo in memory would be lost. Set KV_URL to a file.");
    }
    const store = await openSottoStore(location);
    await requireEmpty(store, location);
    const env = readSettings();
    const chosen = password ?? generatePassword();
    // A refusal need not load the whole server.
    const { createDemo } = await import("./create_demo.ts");
    await createDemo({
      store,
      volumes,
      isLarge,
      password: chosen,
      now: systemClock.now(),
      env,
      output: Deno.stderr,
    });
    printInstructions(location, chosen, readConfig(env).baseUrl);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    Deno.stderr.writeSync(new TextEncoder().encode(`${error.message}\n`));
    return 2;
  }
}

function readSettings(): Record<string, string> {
  const environment = readEnvironment();
  return Object.fromEntries(SETTINGS.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  }));
}

async function requireEmpty({ kv }: Store, location: string): Promise<void> {
  for await (const _ of kv.list({ prefix: realmKeys.realms }, { limit: 1 })) {
    kv.close();
    throw new UsageError(`${location} has an organization. Delete it, or set KV_URL to another file.`);
  }
}

/** Returns a password of four groups of five characters. */
function generatePassword(): string {
  const group = () =>
    Array.from({ length: 5 }, () => PASSWORD_CHARACTERS.charAt(randomInt(PASSWORD_CHARACTERS.length)))
      .join("");
  return Array.from({ length: 4 }, group).join("-");
}

/** Returns the variables of the address that this process was given; the server reads those of `.env` itself. */
function readAddress(): Record<string, string> {
  const given = ["PORT", "BASE_URL"].map((name) => [name, Deno.env.get(name) ?? ""] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

function printInstructions(location: string, password: string, baseUrl: string): void {
  const guest = PEOPLE.find(({ role }) => role === "guest")?.key ?? "";
  print(`${location} contains the organization ${ORGANIZATION}.

Start the server on it:  ${taskCommand("start", { KV_URL: location, ...readAddress() })}
Sign in:                 ${baseUrl}/login
Owner:                   ${emailOf("maren")}
Password:                ${password}

All people have this password, such as the guest ${emailOf(guest)}. Do not serve the demo to others.`);
}

Deno.exit(await main());
