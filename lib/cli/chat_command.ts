import { parseArgs } from "node:util";
import type { ChatApp } from "@/lib/chat/app.ts";
import { createChatApp } from "@/lib/chat/create_app.ts";
import { readRealmBySubdomain, type RealmRecord } from "@/lib/chat/realm/realm.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { readOrMakeSecretKey } from "@/lib/kv/secret_key.ts";
import { openSottoStore } from "@/lib/kv/sotto_store.ts";
import { Refusal, UsageError } from "./errors.ts";
import type { Command, CommandContext } from "./main.ts";

/** The options that a command was given. */
export interface Options {
  /** @throws UsageError when the option was not given or is empty. */
  required(name: string): string;
  /** The option's text; undefined when it was not given. */
  optional(name: string): string | undefined;
  /** One of some whole numbers, or `fallback` when the option was not given. @throws UsageError for anything else. */
  choice<N extends number>(name: string, choices: readonly N[], fallback?: N): N;
}

/** A command that works with the chat. */
export interface ChatCommand<T> {
  /** What stands behind `deno task admin`. */
  readonly usage: string;
  /** The names of its options, without the dashes. */
  readonly options: readonly string[];
  readonly read: (options: Options) => T;
  readonly work: (app: ChatApp, wanted: T) => Promise<object>;
}

/** A command whose options are checked before the store is opened. */
export function chatCommand<T>({ usage, options, read, work }: ChatCommand<T>): Command {
  return async (context, args) => {
    const wanted = read(parseOptions(options, args, `deno task admin ${usage}`));
    return await withChat(context, (app) => work(app, wanted));
  };
}

/** The organization of an option `--subdomain`; the root one without it. */
export async function getRealm(app: ChatApp, subdomain: string | undefined): Promise<RealmRecord> {
  const realm = await readRealmBySubdomain(app, (subdomain ?? "").toLowerCase());
  if (realm === null) throw new Refusal("There is no organization at that subdomain.");
  return realm;
}

/** The chat of a running server and this one meet in the store alone; what a server remembers, it checks there. */
async function withChat<T>(
  { config, location }: CommandContext,
  work: (app: ChatApp) => Promise<T>,
): Promise<T> {
  if (location === ":memory:") {
    throw new Refusal("A store in memory cannot be reached from outside its server.");
  }
  using store = await openSottoStore(location);
  const secretKey = config.secretKey ?? await readOrMakeSecretKey(store);
  const passwords = createPasswordHasher();
  // Mail that is due is sent by the server.
  const wakeMailer = () => {};
  return await work(createChatApp({ store, clock: systemClock, config, passwords, secretKey, wakeMailer }));
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
      if (chosen === undefined) throw new UsageError(`--${name} is one of ${choices.join(", ")}. ${usage}`);
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

/** Every option takes a value, so what follows one is its value, such as a password that begins with a hyphen. */
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
