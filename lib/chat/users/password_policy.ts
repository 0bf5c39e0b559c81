import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";

/** The shortest password, in code points. */
export const MIN_PASSWORD_LENGTH = 8;
/** The longest password, in UTF-16 units: more is no safer, and costs whoever works with it. */
export const MAX_PASSWORD_LENGTH = 1000;
/** Guesses that a password must outlast; eight random characters do. */
export const MIN_PASSWORD_GUESSES = 1e8;
/** Judging takes longer than linearly, so what stands behind these characters is not looked at. */
const MAX_JUDGED = 100;
/** Shorter words of a name are found in any password. */
const MIN_WORD_LENGTH = 3;

/**
 * Lets passwords through that cannot be guessed from lists, patterns or what is known `about` their user: name, address.
 * @throws AppError BAD_REQUEST for all others.
 */
export async function requireStrongPassword(password: string, about: readonly string[]): Promise<void> {
  if (password.length > MAX_PASSWORD_LENGTH) throw new AppError("BAD_REQUEST", "New password is too long!");
  const isLongEnough = codePointLength(password) >= MIN_PASSWORD_LENGTH;
  if (!isLongEnough || await countGuesses(password, about) < MIN_PASSWORD_GUESSES) {
    throw new AppError("BAD_REQUEST", "New password is too weak!");
  }
}

/** The lists of known passwords are large and seldom needed: they are loaded when they are. */
async function countGuesses(password: string, about: readonly string[]): Promise<number> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_JUDGED });
  return estimator.check(password, about.flatMap(toKnownWords)).guesses;
}

/** A text itself and the words in it. */
function toKnownWords(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= MIN_WORD_LENGTH);
  return [text, ...words].filter((word) => word !== "");
}
