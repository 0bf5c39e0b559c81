import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { parseArgs } from "node:util";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { createChatApp } from "@/lib/chat/register/create_app.ts";
import { readRealmBySubdomain, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { findUserByEmail } from "@/lib/chat/organization/users/store.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { openSottoStore, readOrMakeSecretKey } from "@/lib/services/sotto_store.ts";
import { type Command, type CommandContext, Refusal, requireReachable, UsageError } from "./command.ts";

export interface Options {
  /** @throws UsageError when the option is missing or empty. */
  required(name: string): string;
  /** Returns the option's text; undefined when it is missing. */
  optional(name: string): string | undefined;
  /**
   * Returns one of several whole numbers, or `fallback` when the option is missing.
   * @throws UsageError for anything else.
   */
  choice<N extends number>(name: string, choices: readonly N[], fallback?: N): N;
}

interface ChatCommand<T> {
  /** Usage text after `admin`. */
  readonly usage: string;
  /** Names of its options, without dashes. */
  readonly options: readonly string[];
  readonly read: (options: Options) => T;
  readonly work: (app: ChatApp, wanted: T) => Promise<object>;
}

/** Creates a command whose options are checked before the store is opened. */
export function chatCommand<T>({ usage, options, read, work }: ChatCommand<T>): Command {
  return async (context, args) => {
    const wanted = read(parseOptions(options, args, taskCommand(`-q admin ${usage}`)));
    return await withChat(context, (app) => work(app, wanted));
  };
}

/** Returns the organization of the option `--subdomain`; the root organization without it. */
export async function getRealm(app: ChatApp, subdomain: string | undefined): Promise<RealmRecord> {
  const realm = await readRealmBySubdomain(app, (subdomain ?? "").toLowerCase());
  if (realm === null) throw new Refusal("No organization has this subdomain.");
  return realm;
}

export async function getTarget(app: ChatApp, realm: RealmRecord, email: string): Promise<UserRecord> {
  const user = await findUserByEmail(app, realm, email);
  if (user === null) throw new Refusal(`No user of the organization has the email address ${email}.`);
  return user;
}

/** A running server and this process share only the store; a server verifies what it remembers there. */
async function withChat<T>(
  { config, location, passwordCost }: CommandContext,
  work: (app: ChatApp) => Promise<T>,
): Promise<T> {
  requireReachable(location);
  using store = await openSottoStore(location);
  const secretKey = config.secretKey ?? await readOrMakeSecretKey(store);
  const passwords = createPasswordHasher(passwordCost);
  // The server sends mail that is due.
  const wakeMailer = () => {};
  return await work(createChatApp({ store, clock: store.clock, config, passwords, secretKey, wakeMailer }));
}

function parseOptions(names: readonly string[], args: readonly string[], usage: string): Options {
  const values = parseTexts(names, args, usage);
  const required = (name: string) => {
    const value = values.get(name);
    if (value === undefined || value === "") throw new UsageError(`--${name} is missing. ${usage}`);
    return value;
  };
  return {
    required,
    optional: (name) => values.get(name),
    choice(name, choices, fallback) {
      if (!values.has(name) && fallback !== undefined) return fallback;
      const text = required(name);
      const chosen = choices.find((choice) => String(choice) === text);
      if (chosen === undefined) {
        throw new UsageError(`--${name} must be one of ${choices.join(", ")}. ${usage}`);
      }
      return chosen;
    },
  };
}

function parseTexts(names: readonly string[], args: readonly string[], usage: string): Map<string, string> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ args: joinValues(args), options });
    return new Map(
      Object.entries(values).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
    );
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\n${usage}`);
  }
}

/**
 * Every option takes a value, so the argument after it is its value, even a password that begins with a
 * hyphen.
 */
function joinValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const next = args[at + 1];
    const takesNext = /^--[a-z-]+$/.test(arg) && next !== undefined && !next.startsWith("--");
    joined.push(takesNext ? `${arg}=${next}` : arg);
    if (takesNext) at++;
  }
  return joined;
}
