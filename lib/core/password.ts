import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "./errors.ts";

export interface PasswordHasher {
  /**
   * Returns a string with method, cost, salt and hash.
   * @throws AppError UNAVAILABLE when too many passwords wait.
   */
  hash(password: string): Promise<string>;
  /**
   * Whether `password` matches `hash`. Null takes as long as an existing hash and returns false. An empty or too long
   * password is refused at once, whatever the hash.
   * @throws AppError UNAVAILABLE when too many passwords wait.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Cost of a hash: 2^logN blocks of r × 128 bytes of memory, p times over. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/**
 * 32 MiB three times over: the recommendation of OWASP's password storage cheat sheet for scrypt with little
 * memory.
 */
const PASSWORD_COST: PasswordCost = { logN: 15, r: 8, p: 3 };

/** Maximum length of a password in UTF-16 units, which limits the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 1000;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Number of hashes computed at the same time; each takes memory and a core. */
const MAX_PARALLEL = 2;
/** Number of hashes that may wait; clients take turns (`withPasswordTurn`), so each of these is another client's. */
const MAX_WAITING = 128;
const RETRY_SECONDS = 5;

const derive = promisify<
  string,
  Uint8Array,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Uint8Array
>(scrypt);

/** Creates a hasher of a cost; it verifies hashes of any cost. */
export function createPasswordHasher(cost: PasswordCost = PASSWORD_COST): PasswordHasher {
  const limited = createLimiter(MAX_PARALLEL);
  const run = (password: string, salt: Uint8Array, { logN, r, p }: PasswordCost) => {
    const maxmem = 256 * r * 2 ** logN;
    return limited(() =>
      derive(password.normalize("NFKC"), salt, HASH_BYTES, { N: 2 ** logN, r, p, maxmem })
    );
  };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await run(password, salt, cost);
      return ["scrypt", cost.logN, cost.r, cost.p, salt.toBase64(), hash.toBase64()].join("$");
    },
    async verify(password, stored) {
      // No account has such a password, so a hash would hide nothing.
      if (password === "" || password.length > MAX_PASSWORD_LENGTH) return false;
      const parsed = parse(stored ?? "");
      const hash = await run(password, parsed?.salt ?? new Uint8Array(SALT_BYTES), parsed?.cost ?? cost);
      return parsed !== null && parsed.hash.length === HASH_BYTES && timingSafeEqual(hash, parsed.hash);
    },
  };
}

function parse(stored: string): { cost: PasswordCost; salt: Uint8Array; hash: Uint8Array } | null {
  const [method, logN, r, p, salt, hash] = stored.split("$");
  if (method !== "scrypt" || salt === undefined || hash === undefined) return null;
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Uint8Array.fromBase64(salt),
    hash: Uint8Array.fromBase64(hash),
  };
}

/** Creates a function that runs at most `max` calls at the same time and queues some others. */
function createLimiter(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (waiting.length >= MAX_WAITING) throw tooManyPasswords();
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

function tooManyPasswords(): AppError {
  return new AppError("UNAVAILABLE", "Too many passwords are being checked. Please try again in a moment.", {
    retryAfter: RETRY_SECONDS,
  });
}
