import { z } from "zod";
import { requireName } from "@/lib/core/names.ts";
import type { ActionContext, ChatApp } from "../organization/app.ts";
import { Collection } from "../organization/collection.ts";
import { sendChangeEvent } from "../organization/events/send_events.ts";
import { MAX_MESSAGE_LENGTH } from "./model.ts";
import { described, optional, type ParamValues, trimmed } from "../organization/params/param.ts";
import type { Caller } from "../organization/users/model.ts";
import { act } from "../organization/users/store.ts";

/** A text that a user has saved for reuse. */
export interface SnippetRecord {
  readonly id: number;
  /** Trimmed, like the content. */
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** Seconds since 1970 UTC. */
  readonly date_created: number;
}

export const snippets = new Collection<SnippetRecord>({
  name: "snippet",
  plural: "saved snippets",
  max: 500,
  full: (max) => `You can keep ${max} saved snippets at most.`,
  missing: "Saved snippet does not exist.",
});

/** @throws AppError BAD_REQUEST for an invalid title, and when the user has the maximum number of snippets. */
export async function createSnippet(
  app: ChatApp,
  caller: Caller,
  { title, content }: ParamValues<typeof createSnippetParams>,
): Promise<number> {
  requireTitle(title);
  return await act(app, caller, async (context) => {
    const { tx } = context;
    const id = await tx.nextId("snippet");
    const snippet: SnippetRecord = { id, title, content, date_created: Math.floor(app.clock.now() / 1000) };
    await snippets.add(tx, caller, snippet);
    send(context, { op: "add", saved_snippet: snippet });
    return id;
  }, snippets.lock(caller));
}

/**
 * Updates a snippet. Does nothing when no change is given, even if the snippet does not exist.
 * @throws AppError BAD_REQUEST for an invalid title, with status 404 when the caller has no such snippet.
 */
export async function updateSnippet(
  app: ChatApp,
  caller: Caller,
  { id, title, content }: ParamValues<typeof updateSnippetParams> & { readonly id: number },
): Promise<void> {
  if (title === undefined && content === undefined) return;
  await act(app, caller, async (context) => {
    const { tx } = context;
    const before = await snippets.get(tx, caller, id);
    if (title !== undefined && title !== before.title) requireTitle(title);
    const after = { ...before, title: title ?? before.title, content: content ?? before.content };
    snippets.replace(tx, caller, { before, after });
    send(context, { op: "update", saved_snippet: after });
  }, snippets.lock(caller));
}

/** @throws AppError BAD_REQUEST with status 404 when the caller has no such snippet. */
export async function deleteSnippet(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await act(app, caller, async (context) => {
    const { tx } = context;
    await snippets.delete(tx, caller, await snippets.get(tx, caller, id));
    send(context, { op: "remove", saved_snippet_id: id });
  }, snippets.lock(caller));
}

function requireTitle(title: string): void {
  requireName(title, "title", { mayMixScripts: true });
}

function send(
  context: ActionContext,
  change: { readonly op: string; readonly [member: string]: unknown },
): void {
  sendChangeEvent(context, { type: "saved_snippets", ...change }, [context.actingUser.id]);
}

const title = described(trimmed({ max: 60, min: 1 }), "The title; several snippets can share one.");
const content = described(trimmed({ max: MAX_MESSAGE_LENGTH, min: 1 }), "The Markdown text.");

export const createSnippetParams = { title, content };

export const updateSnippetParams = { title: optional(title), content: optional(content) };

export const snippetsSchema = z.object({
  saved_snippets: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      content: z.string(),
      date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
    }).meta({ id: "SavedSnippet" }),
  ),
});

export const createdSnippetSchema = z.object({ saved_snippet_id: z.int() });
