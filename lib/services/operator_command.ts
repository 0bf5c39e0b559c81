import { quoteForShell } from "@/lib/core/task_command.ts";

/** The runtime that started a server, which npx may have installed, and the variables of its process. */
export interface StartedBy {
  /** Path of the runtime. */
  readonly execPath: string;
  readonly version: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Variables that a start repeats, with their defaults. */
const OPEN_VARIABLES: Readonly<Record<string, string>> = {
  PORT: "8000",
  HOST: "0.0.0.0",
  BASE_URL: "",
  KV_URL: "data/sotto.kv",
  MAIL_FROM: "",
  MAIL_DIR: "data/mail",
  TRUSTED_PROXIES: "",
  RATE_LIMITS: "",
  UPLOAD_MAX_MIB: "25",
  UPLOAD_QUOTA_MIB: "0",
  SHORT_LENGTH: "7",
  SHORT_CHARS: "",
  SHORT_REWRITES: "",
  BLOCKED_HOSTNAMES: "",
  INVITATION_LINK_VALIDITY_MINUTES: "14400",
  WEB_PUBLIC_STREAMS_ENABLED: "true",
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: "false",
  JWT_MAX_AGE_SECONDS: "0",
  SEARCH_MAX_READS: "100000",
  PUSH_BOUNCER_URL: "",
  PUSH_ORG_ID: "",
  WEBHOOK_INTERNAL_NETWORKS: "",
  COMPATIBILITY_ALIASES: "",
  OTEL_DENO: "",
};
/** Variables that hold secrets, of which a start repeats the names only. */
const SECRET_VARIABLES = [
  "SECRET_KEY",
  "DENO_KV_ACCESS_TOKEN",
  "SMTP_URL",
  "SHORTEN_API_KEY",
  "METRICS_TOKEN",
  "JWT_AUTH_KEYS",
  "PUSH_ORG_KEY",
  "PUSH_BOUNCER_KEYS",
  "PUSH_FCM",
  "PUSH_APNS",
  "VIDEO_PROVIDER",
];
/** Stands for a value to fill in. */
const LEFT_OUT = "…";
/** Packages that npx installs stand below such a folder. */
const NPX_FOLDER = /[/\\]_npx[/\\]/;

/** Returns how this process was started. Variables of `.env` are left out, as every command reads them. */
export function readStartedBy(): StartedBy {
  return { execPath: readExecPath(), version: Deno.version.deno, variables: Deno.env.toObject() };
}

/** Returns the command that starts the server as it was started, with variables set anew. */
export function toStartCommand(startedBy: StartedBy, changed: Readonly<Record<string, string>>): string {
  const kept = keptOf(startedBy, [...Object.keys(OPEN_VARIABLES), ...SECRET_VARIABLES]);
  return toCommand(startedBy, "start", { ...kept, ...changed });
}

/** Returns an operator's command for the store of the server. */
export function toAdminCommand(startedBy: StartedBy, command: string): string {
  const kept = keptOf(startedBy, ["KV_URL", "DENO_KV_ACCESS_TOKEN"]);
  return toCommand(startedBy, `-q admin ${command}`, kept);
}

function keptOf({ variables }: StartedBy, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = variables[name] ?? "";
    if (value === "" || value === OPEN_VARIABLES[name]) continue;
    const isSecret = SECRET_VARIABLES.includes(name) || mayHoldSecret(value);
    kept[name] = isSecret ? LEFT_OUT : value;
  }
  return kept;
}

/** Whether a value is a URL with a user, a password or a query. */
function mayHoldSecret(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && `${url.username}${url.password}${url.search}` !== "";
}

function toCommand(
  { execPath, version }: StartedBy,
  task: string,
  variables: Record<string, string>,
): string {
  const assignments = Object.entries(variables).map(([name, value]) =>
    `${name}=${value === LEFT_OUT ? value : quoteForShell(value)}`
  );
  const deno = NPX_FOLDER.test(execPath) ? `npx --yes deno@${version}` : "deno";
  return [...assignments, deno, "task", task].join(" ");
}

/** The path may only be read where its folder may be. */
function readExecPath(): string {
  try {
    return Deno.execPath();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return "";
    throw error;
  }
}
