import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { MAX_SNIPPETS, snippetKeys, type SnippetOwner, type SnippetRecord } from "./snippet.ts";

/** What is to be other than it is; undefined leaves a part alone. */
export interface SnippetChanges {
  readonly title: string | undefined;
  readonly content: string | undefined;
}

/**
 * Keeps a text, and gives the id of the snippet.
 * @throws AppError BAD_REQUEST for one too many.
 */
export function createSnippet(
  app: ChatApp,
  owner: SnippetOwner,
  { title, content }: { title: string; content: string },
): Promise<number> {
  const { realm, user } = owner;
  return transact(app.store, async (tx) => {
    const countKey = snippetKeys.count(realm.id, user.id);
    const count = await tx.get<number>(countKey) ?? 0;
    if (count >= MAX_SNIPPETS) {
      throw new AppError("BAD_REQUEST", `You can keep ${MAX_SNIPPETS} saved snippets at most.`);
    }
    const now = app.clock.now();
    const id = await tx.nextId("snippet");
    const record: SnippetRecord = { id, title, content, date_created: Math.floor(now / 1000) };
    tx.set(snippetKeys.snippet(realm.id, user.id, id), record);
    tx.set(countKey, count + 1);
    tell(tx, now, { owner, op: "add", saved_snippet: record });
    return id;
  }, queueOf(owner));
}

/**
 * Changes parts of a snippet; without any, nothing is looked at.
 * @throws AppError BAD_REQUEST where the owner has no such snippet.
 */
export async function editSnippet(
  app: ChatApp,
  owner: SnippetOwner,
  { id, changes: { title, content } }: { id: number; changes: SnippetChanges },
): Promise<void> {
  if (title === undefined && content === undefined) return;
  await transact(app.store, async (tx) => {
    const before = await getSnippet(tx, owner, id);
    const record: SnippetRecord = {
      ...before,
      title: title ?? before.title,
      content: content ?? before.content,
    };
    tx.set(snippetKeys.snippet(owner.realm.id, owner.user.id, id), record);
    tell(tx, app.clock.now(), { owner, op: "update", saved_snippet: record });
  }, queueOf(owner));
}

/**
 * Forgets a snippet.
 * @throws AppError BAD_REQUEST where the owner has no such snippet.
 */
export async function deleteSnippet(app: ChatApp, owner: SnippetOwner, id: number): Promise<void> {
  const { realm, user } = owner;
  await transact(app.store, async (tx) => {
    await getSnippet(tx, owner, id);
    tx.delete(snippetKeys.snippet(realm.id, user.id, id));
    const countKey = snippetKeys.count(realm.id, user.id);
    const left = (await tx.get<number>(countKey) ?? 1) - 1;
    if (left > 0) tx.set(countKey, left);
    else tx.delete(countKey);
    tell(tx, app.clock.now(), { owner, op: "remove", saved_snippet_id: id });
  }, queueOf(owner));
}

function queueOf({ realm, user }: SnippetOwner): string {
  return `snippets ${realm.id} ${user.id}`;
}

async function getSnippet(tx: Tx, { realm, user }: SnippetOwner, id: number): Promise<SnippetRecord> {
  const key = snippetKeys.snippet(realm.id, user.id, id);
  const record = Number.isSafeInteger(id) ? await tx.get<SnippetRecord>(key) : null;
  if (record !== null) return record;
  throw new AppError("BAD_REQUEST", "Saved snippet does not exist.", { status: 404 });
}

function tell(
  tx: Tx,
  now: number,
  { owner, ...change }: { owner: SnippetOwner; op: string; [member: string]: unknown },
): void {
  const { realm, user } = owner;
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "saved_snippets", ...change },
    audience: [user.id],
  });
}
