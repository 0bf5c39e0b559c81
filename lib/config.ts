import { trimEnd } from "es-toolkit/string/trimEnd";
import { parseEnv } from "node:util";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { errorMessage } from "@/lib/core/errors.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import { safeAddress } from "@/lib/core/fetch_json.ts";
import { splitList } from "@/lib/core/text.ts";
import { canonicalHostname } from "@/lib/links/hostnames.ts";
import { ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";
import { apnsCredentials, fcmCredentials } from "@/lib/push/providers/credentials.ts";
import { DEFAULT_RATE_LIMITS, rateLimits } from "./rate_limit_rules.ts";

/** Minimum size of a signing key, in bytes. */
const MIN_KEY_BYTES = 32;
/** Maximum length of an id: keys of the store and URLs are limited. */
const MAX_SHORT_LENGTH = 64;

const isOn = z.enum(["true", "false"], { error: "true or false" }).transform((text) => text === "true");
const optional = (schema: z.ZodType<string>) => schema.optional().transform((value) => value ?? null);
const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d{1,9}$/, { error: `a whole number from ${min} to ${max}` }).transform(Number)
    .refine((value) => value >= min && value <= max, { error: `a whole number from ${min} to ${max}` });
const webAddress = (error: string) =>
  z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), { error })
    .transform((text) => trimEnd(text, "/"));
const longKey = z.string()
  .refine((key) => new TextEncoder().encode(key).length >= MIN_KEY_BYTES, {
    error: `at least ${MIN_KEY_BYTES} bytes`,
  });

/** A variable whose text is JSON of a given shape. */
function json<T>(schema: z.ZodType<T>, error: string) {
  return z.string().transform((text, context): T => {
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

const shortCharacter = z.string().refine((text) => {
  if ([...text].length !== 1 || !text.isWellFormed() || text === ".") return false;
  // A path preserves only these characters: others stay escaped in it or have a meaning.
  return decodeURI(encodeURIComponent(text)) === text;
});

const cidr = z.string().refine((text) => ipaddr.isValidCIDR(text) || ipaddr.isValid(text));
const listOf = (schema: z.ZodType<string>, error: string) =>
  z.string().transform((text, context) => {
    const parsed = z.array(schema).safeParse(splitList(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });

const jwtKeys = json(
  z.record(z.string(), z.object({ key: z.string(), algorithms: z.array(z.string()).min(1) }))
    .refine((keys) =>
      Object.values(keys).every(({ key, algorithms }) =>
        !algorithms.some((name) => name.startsWith("HS")) || longKey.safeParse(key).success
      )
    ),
  'JSON such as {"": {"key": "…", "algorithms": ["HS256"]}}; HMAC keys have at least 32 bytes',
);
const bouncerKey = z.string().refine((text) => {
  try {
    return Uint8Array.fromBase64(text).length === 32;
  } catch {
    return false;
  }
});
const videoProvider = json(
  z.object({
    name: z.string(),
    client_id: z.string(),
    client_secret: z.string(),
    authorize_url: safeAddress,
    token_url: safeAddress,
    create_url: safeAddress,
    url_field: z.string().optional(),
  }),
  "JSON with name, client_id, client_secret, authorize_url, token_url, create_url; addresses by https, or on loopback",
);

/** Name of a field in responses. */
const fieldName = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/);
const fieldAlias = z.union([
  fieldName,
  z.strictObject({ name: fieldName, value: z.union([z.string().max(100), z.number(), z.boolean()]) }),
]);
/** Another name of a field in responses, with the field's value or one of its own. */
export type FieldAlias = z.infer<typeof fieldAlias>;
const compatibilityAliases = json(
  z.record(fieldName, fieldAlias).refine((aliases) => {
    const names = Object.values(aliases).map((alias) => typeof alias === "string" ? alias : alias.name);
    return new Set(names).size === names.length;
  }),
  'a JSON object of fields and another name for each, such as {"service_version":"server_version"}, or a name and ' +
    'a value, such as {"service_version":{"name":"server_version","value":"10.0"}}; names have up to ' +
    "60 small letters, digits and underscores and begin with a letter, and no two fields have the same other name",
);

const environment = z.object({
  PORT: wholeNumber(0, 65535).default(8000),
  HOST: z.string().min(1).default("0.0.0.0"),
  BASE_URL: webAddress("the public address, such as https://sotto.example").optional(),
  KV_URL: optional(
    z.string().min(1, { error: "a file's path, :memory:, or the address of a KV Connect server" }),
  ),
  DENO_DEPLOYMENT_ID: z.string().optional(),
  OTEL_DENO: z.string().optional(),
  SECRET_KEY: optional(longKey),
  SHORT_LENGTH: wholeNumber(1, MAX_SHORT_LENGTH).default(7),
  SHORT_CHARS: json(
    z.array(shortCharacter).min(2).max(1024).refine((list) => new Set(list).size === list.length),
    'a JSON list of at least two different characters that a path can carry, such as ["\\u200c","\\u200d"]',
  ).default([...ZERO_WIDTH_CHARACTERS]),
  SHORT_REWRITES: json(
    z.record(z.string().min(1), z.string()),
    'a JSON object of what is replaced by what in an id, such as {"\\u200b":"\\u200c"}',
  ).default({}),
  BLOCKED_HOSTNAMES: listOf(
    z.string().refine((text) => URL.canParse(`http://${text}/`) && canonicalHostname(text) !== ""),
    "host names, separated by commas",
  ).default([]),
  SHORTEN_API_KEY: optional(z.string().min(1, { error: "a key; leave it unset to let anyone shorten" })),
  INVITATION_LINK_VALIDITY_MINUTES: wholeNumber(1, 99999999).default(14400),
  WEB_PUBLIC_STREAMS_ENABLED: isOn.default(true),
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: isOn.default(false),
  JWT_AUTH_KEYS: jwtKeys.default({}),
  JWT_MAX_AGE_SECONDS: wholeNumber(0, 31536000).default(0),
  SEARCH_MAX_READS: wholeNumber(1000, 100_000_000).default(100_000),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\/[^/]+/, { error: "smtp(s)://user:password@host:port" })),
  MAIL_FROM: optional(z.string().regex(/@/, { error: "an email address" })),
  MAIL_DIR: z.string().min(1).default("data/mail"),
  UPLOAD_MAX_MIB: wholeNumber(1, 1048576).default(25),
  UPLOAD_QUOTA_MIB: wholeNumber(0, 104857600).default(0),
  PUSH_BOUNCER_URL: optional(
    webAddress("the bouncer's address, by https, or on loopback").refine(
      (text) => safeAddress.safeParse(text).success,
      { error: "the bouncer's address, by https, or on loopback" },
    ),
  ),
  PUSH_ORG_ID: optional(z.string()),
  PUSH_ORG_KEY: optional(z.string()),
  PUSH_BOUNCER_KEYS: json(
    z.array(z.object({ public_key: bouncerKey, private_key: bouncerKey })),
    'a JSON list of {"public_key","private_key"}, each 32 bytes in Base64',
  ).default([]),
  PUSH_FCM: json(
    fcmCredentials,
    "JSON with project_id, client_email, private_key (RSA, PKCS #8 in PEM), scope, token_uri and base_url; addresses " +
      "by https, or on loopback",
  ).optional(),
  PUSH_APNS: json(
    apnsCredentials,
    "JSON with key_id, team_id, private_key (P-256, PKCS #8 in PEM) and base_url, by https, or on loopback",
  ).optional(),
  WEBHOOK_INTERNAL_NETWORKS: listOf(cidr, "addresses or CIDR ranges, separated by commas").default([]),
  VIDEO_PROVIDER: videoProvider.optional(),
  COMPATIBILITY_ALIASES: compatibilityAliases.default({}),
  RATE_LIMITS: rateLimits.default({ ...DEFAULT_RATE_LIMITS }),
  TRUSTED_PROXIES: listOf(cidr, "addresses or CIDR ranges, separated by commas").default([]),
  METRICS_TOKEN: optional(z.string().min(16, { error: "at least 16 characters" })),
});

/** The validated configuration; lengths in characters, sizes in MiB, times in the unit of their name. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** Error of an invalid configuration: one line for each bad variable, with the values that it accepts. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly lines: readonly string[]) {
    super(lines.join("\n"));
  }
}

/**
 * Reads the configuration from environment variables; an empty variable counts as unset.
 * @throws ConfigError with a line for each bad variable.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.entries(variables).filter(([, value]) => value !== undefined && value !== "");
  const parsed = environment.safeParse(Object.fromEntries(set));
  if (!parsed.success) throw new ConfigError(toLines(parsed.error.issues));
  return Object.freeze(toConfig(parsed.data));
}

function toLines(issues: readonly z.core.$ZodIssue[]): string[] {
  const byName = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = String(path[0]);
    if (!byName.has(name)) byName.set(name, `${name} accepts ${message}`);
  }
  return [...byName.values()];
}

function toPlatform({ KV_URL, DENO_DEPLOYMENT_ID, OTEL_DENO }: z.infer<typeof environment>) {
  const isDeployment = DENO_DEPLOYMENT_ID !== undefined;
  return {
    /** Whether the platform starts and ends processes by itself. */
    isDeployment,
    /** Null: the deployment's own store. */
    kvUrl: KV_URL ?? (isDeployment ? null : "data/sotto.kv"),
    /** Whether the runtime exports traces. */
    isTraced: OTEL_DENO === "true" || OTEL_DENO === "1",
  };
}

function toConfig(values: z.infer<typeof environment>) {
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    baseUrl,
    ...toPlatform(values),
    secretKey: values.SECRET_KEY === null ? null : new TextEncoder().encode(values.SECRET_KEY),
    alphabet: { characters: values.SHORT_CHARS, length: values.SHORT_LENGTH },
    rewrites: new Map(Object.entries(values.SHORT_REWRITES)),
    blockedHostnames: values.BLOCKED_HOSTNAMES,
    shortenApiKey: values.SHORTEN_API_KEY,
    invitationLinkValidityMinutes: values.INVITATION_LINK_VALIDITY_MINUTES,
    webPublicStreamsEnabled: values.WEB_PUBLIC_STREAMS_ENABLED,
    canAccessAllUsersGroupLimitsPresence: values.CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE,
    jwtAuthKeys: values.JWT_AUTH_KEYS,
    jwtMaxAgeSeconds: values.JWT_MAX_AGE_SECONDS,
    searchMaxReads: values.SEARCH_MAX_READS,
    smtpUrl: values.SMTP_URL,
    isMailDelivered: values.SMTP_URL !== null,
    mailFrom: values.MAIL_FROM,
    mailDir: values.MAIL_DIR,
    uploadMaxMib: values.UPLOAD_MAX_MIB,
    uploadQuotaMib: values.UPLOAD_QUOTA_MIB,
    pushBouncerUrl: values.PUSH_BOUNCER_URL,
    pushOrgId: values.PUSH_ORG_ID,
    pushOrgKey: values.PUSH_ORG_KEY,
    pushBouncerKeys: values.PUSH_BOUNCER_KEYS,
    /** Credentials of the push providers that a bouncer delivers to; null for an unconfigured one. */
    pushProviders: { fcm: values.PUSH_FCM ?? null, apns: values.PUSH_APNS ?? null },
    webhookInternalNetworks: values.WEBHOOK_INTERNAL_NETWORKS,
    videoProvider: values.VIDEO_PROVIDER ?? null,
    /** Aliases by field name, which responses that clients read at start contain in addition. */
    compatibilityAliases: values.COMPATIBILITY_ALIASES,
    /** Null: no limits. */
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUSTED_PROXIES,
    metricsToken: values.METRICS_TOKEN,
  };
}

/** Returns the process's variables merged over those of `.env` in the working folder. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...readEnvFile(), ...Deno.env.toObject() };
}

function readEnvFile(): Record<string, string | undefined> {
  try {
    return parseEnv(Deno.readTextFileSync(".env"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new ConfigError([`.env cannot be read: ${errorMessage(error)}`]);
  }
}
