import type { Key } from "@/lib/kv/key.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";

/** A text that somebody keeps to use it again. */
export interface SnippetRecord {
  readonly id: number;
  /** Without blanks around it, as the content. */
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** Seconds since 1970 UTC. */
  readonly date_created: number;
}

/** Whose snippets, and in which organization. */
export interface SnippetOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Snippets of one account at most. */
export const MAX_SNIPPETS = 500;

/** No title is longer, in code points. */
export const MAX_SNIPPET_TITLE = 60;

/** Where snippets lie in the store. */
export const snippetKeys = {
  all: (realmId: number): Key => [realmId, "snippet"],
  snippets: (realmId: number, userId: number): Key => [realmId, "snippet", userId],
  snippet: (realmId: number, userId: number, id: number): Key => [realmId, "snippet", userId, id],
  counts: (realmId: number): Key => [realmId, "snippet_count"],
  /** How many an account has. */
  count: (realmId: number, userId: number): Key => [realmId, "snippet_count", userId],
};
