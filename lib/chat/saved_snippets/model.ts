import type { Key } from "@/lib/store/key.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";

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

/** A user who saves snippets, and their organization. */
export interface SnippetOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Maximum number of saved snippets of one account. */
export const MAX_SNIPPETS = 500;

/** Maximum length of a title in code points. */
export const MAX_SNIPPET_TITLE = 60;

/** Keys of saved snippets. */
export const snippetKeys = {
  all: (realmId: number): Key => [realmId, "snippet"],
  snippets: (realmId: number, userId: number): Key => [realmId, "snippet", userId],
  snippet: (realmId: number, userId: number, id: number): Key => [realmId, "snippet", userId, id],
  counts: (realmId: number): Key => [realmId, "snippet_count"],
  /** Number of snippets of an account. */
  count: (realmId: number, userId: number): Key => [realmId, "snippet_count", userId],
};

/** Returns the name of the in-process lock for changes of a user's snippets. */
export function snippetLock({ realm, user }: SnippetOwner): string {
  return `snippets ${realm.id} ${user.id}`;
}
