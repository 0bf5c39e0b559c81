import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import type { ActionContext, ChatApp } from "../organization/app.ts";
import { auditAction } from "../organization/audit/store.ts";
import { StoredList } from "../organization/collection.ts";
import { sendChangeEvent } from "../organization/events/send_events.ts";
import { MAX_TEMPLATE } from "./linkifiers/model/linkifier.ts";
import { parseUriTemplate } from "./linkifiers/model/uri_template.ts";
import { described, type ParamValues, trimmed } from "../organization/params/param.ts";
import type { Caller } from "../organization/users/model.ts";
import { actAsAdmin } from "../organization/users/store.ts";

/** A website on which clients open code blocks of a language; its texts are trimmed. */
export interface PlaygroundRecord {
  readonly id: number;
  readonly name: string;
  /** Name of the language of code blocks, such as `Python`. */
  readonly pygments_language: string;
  /** RFC 6570 URL template whose only variable is `code`. */
  readonly url_template: string;
}

/** The code playgrounds of each organization, the oldest first; an event holds all of them. */
export const playgroundList = new StoredList<PlaygroundRecord, Pick<Caller, "realm">>({
  key: ({ realm }) => [realm.id, "playgrounds"],
  max: 100,
  full: () => "The organization has too many code playgrounds.",
});

/** Maximum length of a playground's name in code points. */
export const MAX_PLAYGROUND_NAME = 60;
/** Maximum length of a language in code points. */
export const MAX_LANGUAGE = 40;
/** Maximum length of a URL template in code points. */
export const MAX_PLAYGROUND_TEMPLATE = MAX_TEMPLATE;

/** Returns whether a text can be the name of a language. It need not be a known one. */
export function isLanguage(text: string): boolean {
  return /^[ \w+,\-./#]*$/.test(text);
}

/**
 * Adds a code playground after all others and returns its id.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for invalid fields, with `errors` by field, for a name
 * that another playground of the language has, and when there are too many playgrounds.
 */
export async function createPlayground(
  app: ChatApp,
  caller: Caller,
  fields: ParamValues<typeof createPlaygroundParams>,
): Promise<number> {
  if (!isLanguage(fields.pygments_language)) {
    throw new AppError("BAD_REQUEST", "Invalid characters in pygments language");
  }
  return await actAsAdmin(app, caller, async (context) => {
    const playground = { id: await context.tx.nextId("playground"), ...fields };
    const before = await playgroundList.get(context.tx, caller);
    requireValidPlayground(playground, before);
    const after = [...before, playground];
    putPlaygrounds(context, { before, after, action: "playground_added", playground });
    return playground.id;
  });
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown id. */
export async function deletePlayground(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await actAsAdmin(app, caller, async (context) => {
    const before = await playgroundList.get(context.tx, caller);
    const playground = before.find((known) => known.id === id);
    if (playground === undefined) throw new AppError("BAD_REQUEST", "Invalid playground");
    const after = before.filter((known) => known !== playground);
    putPlaygrounds(context, { before, after, action: "playground_removed", playground });
  });
}

function putPlaygrounds(
  context: ActionContext,
  { before, after, action, playground: { id, name, ...details } }: {
    readonly before: readonly PlaygroundRecord[];
    readonly after: readonly PlaygroundRecord[];
    readonly action: "playground_added" | "playground_removed";
    readonly playground: PlaygroundRecord;
  },
): void {
  playgroundList.put(context.tx, context, { before, after });
  auditAction(context, { action, target: { kind: "playground", id, name }, details });
  sendChangeEvent(context, { type: "realm_playgrounds", realm_playgrounds: after });
}

function requireValidPlayground(added: PlaygroundRecord, others: readonly PlaygroundRecord[]): void {
  const problems = findProblems(added, others);
  const [first] = Object.values(problems);
  if (first === undefined) return;
  const errors = Object.fromEntries(Object.entries(problems).map(([field, message]) => [field, [message]]));
  throw new AppError("BAD_REQUEST", first, { extra: { errors } });
}

/** Returns messages by field; `__all__` stands for a problem between several fields. */
function findProblems(
  { name, pygments_language, url_template }: PlaygroundRecord,
  others: readonly PlaygroundRecord[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const blank = "This field cannot be blank.";
  const template = url_template === "" ? null : parseUriTemplate(url_template);
  if (url_template === "") problems["url_template"] = blank;
  else if (template === null || !/^https?:\/\/[^{]/i.test(url_template)) {
    // Clients open the address, so neither a script nor another scheme may begin it.
    problems["url_template"] = "Invalid URL template.";
  }
  if (name === "") problems["name"] = blank;
  if (pygments_language === "") problems["pygments_language"] = blank;
  if (template !== null && !template.variables.includes("code")) {
    problems["__all__"] = 'Missing the required variable "code" in the URL template';
  } else if (template !== null && template.variables.length > 1) {
    problems["__all__"] = '"code" should be the only variable present in the URL template';
  } else if (others.some((other) => other.name === name && other.pygments_language === pygments_language)) {
    problems["__all__"] = "Realm playground with this Realm, Pygments language and Name already exists.";
  }
  return problems;
}

/** Parameters of adding a code playground. */
export const createPlaygroundParams = {
  name: described(trimmed({ max: MAX_PLAYGROUND_NAME }), "Name by which users choose the playground."),
  pygments_language: described(
    trimmed({ max: MAX_LANGUAGE }),
    "Language of the code blocks that open in the playground, such as `Python`.",
  ),
  url_template: described(
    trimmed({ max: MAX_PLAYGROUND_TEMPLATE }),
    "RFC 6570 URL template whose only variable is `code`.",
  ),
};

/** Response of adding a code playground. */
export const createdPlaygroundSchema = z.object({ id: z.int() });

/** Code playgrounds in the response of POST /register. */
export const realmPlaygroundsSchema = z.object({
  realm_playgrounds: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      pygments_language: z.string(),
      url_template: z.string().meta({
        description: "RFC 6570 URL template; clients expand `code` to the text of a code block.",
      }),
    }).meta({ id: "Playground" }),
  ),
});
