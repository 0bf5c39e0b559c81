import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { MAX_TEMPLATE } from "../linkifiers/model/linkifier.ts";
import { parseUriTemplate } from "../linkifiers/model/uri_template.ts";

/** Fields of a code playground that an administrator sets, each trimmed. */
export interface PlaygroundFields {
  readonly name: string;
  /** Name of the language of code blocks, such as `Python`. */
  readonly pygments_language: string;
  /** RFC 6570 URL template whose only variable is `code`. */
  readonly url_template: string;
}

/** A website on which clients open code blocks of a language. */
export interface PlaygroundRecord extends PlaygroundFields {
  readonly id: number;
}

/** Maximum number of code playgrounds of one organization; all of them are one record and one event. */
export const MAX_PLAYGROUNDS = 100;
/** Maximum size of an organization's playgrounds as JSON in UTF-16 units, so that they fit into one record. */
const MAX_UNITS = 28_000;
/** Maximum length of a playground's name in code points. */
export const MAX_PLAYGROUND_NAME = 60;
/** Maximum length of a language in code points. */
export const MAX_LANGUAGE = 40;
/** Maximum length of a URL template in code points. */
export const MAX_PLAYGROUND_TEMPLATE = MAX_TEMPLATE;
/** Characters that occur in the names of languages. */
const LANGUAGE = /^[ \w+,\-./#]*$/;
const BLANK = "This field cannot be blank.";

/** Key of an organization's code playgrounds, in the order of their creation. */
export function playgroundsKey(realmId: number): Key {
  return [realmId, "playgrounds"];
}

/**
 * Adds a playground to the others of its organization.
 * @throws AppError BAD_REQUEST with `errors` by field for invalid fields and for a name that another
 * playground of the language has, and when there are too many playgrounds.
 */
export function addPlayground(
  playgrounds: readonly PlaygroundRecord[],
  added: PlaygroundRecord,
): PlaygroundRecord[] {
  requireValidPlayground(added, playgrounds);
  const all = [...playgrounds, added];
  if (all.length <= MAX_PLAYGROUNDS && JSON.stringify(all).length <= MAX_UNITS) return all;
  throw new AppError("BAD_REQUEST", "The organization has too many code playgrounds.");
}

/**
 * Removes the playground with an id.
 * @throws AppError BAD_REQUEST.
 */
export function removePlayground(
  playgrounds: readonly PlaygroundRecord[],
  id: number,
): { removed: PlaygroundRecord; remaining: PlaygroundRecord[] } {
  const removed = playgrounds.find((playground) => playground.id === id);
  if (removed === undefined) throw new AppError("BAD_REQUEST", "Invalid playground");
  return { removed, remaining: playgrounds.filter((playground) => playground !== removed) };
}

function requireValidPlayground(fields: PlaygroundFields, others: readonly PlaygroundFields[]): void {
  const problems = findProblems(fields, others);
  const [first] = Object.values(problems);
  if (first === undefined) return;
  const errors = Object.fromEntries(Object.entries(problems).map(([field, message]) => [field, [message]]));
  throw new AppError("BAD_REQUEST", first, { extra: { errors } });
}

/** Returns messages by field; `__all__` stands for a problem between several fields. */
function findProblems(
  { name, pygments_language, url_template }: PlaygroundFields,
  others: readonly PlaygroundFields[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  if (url_template === "") problems["url_template"] = BLANK;
  else if (parseUriTemplate(url_template) === null || !/^https?:\/\/[^{]/i.test(url_template)) {
    // Clients open the address, so neither a script nor another scheme may begin it.
    problems["url_template"] = "Invalid URL template.";
  }
  if (name === "") problems["name"] = BLANK;
  if (pygments_language === "") problems["pygments_language"] = BLANK;
  const between = findTemplateProblem(url_template) ??
    findNameProblem(others.some((one) => one.name === name && one.pygments_language === pygments_language));
  if (between !== null) problems["__all__"] = between;
  return problems;
}

function findTemplateProblem(text: string): string | null {
  const template = text === "" ? null : parseUriTemplate(text);
  if (template === null) return null;
  if (!template.variables.includes("code")) return 'Missing the required variable "code" in the URL template';
  return template.variables.length > 1
    ? '"code" should be the only variable present in the URL template'
    : null;
}

function findNameProblem(isTaken: boolean): string | null {
  return isTaken ? "Realm playground with this Realm, Pygments language and Name already exists." : null;
}

/** Returns whether a text can be the name of a language. It need not be a known one. */
export function isLanguage(text: string): boolean {
  return LANGUAGE.test(text);
}

/**
 * Requires that a text can be the name of a language.
 * @throws AppError BAD_REQUEST.
 */
export function requireLanguage(text: string): void {
  if (!isLanguage(text)) throw new AppError("BAD_REQUEST", "Invalid characters in pygments language");
}
