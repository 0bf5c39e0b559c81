import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";

/** A view in the navigation of a user's clients, such as the inbox or a narrow. */
export interface NavigationView {
  /** Fragment of the view's address without `#`; identifies the view. */
  readonly fragment: string;
  readonly is_pinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/** A user with navigation views, and their organization. */
export interface NavigationViewOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Maximum number of views of one account. */
const MAX_VIEWS = 100;
/** Maximum length of all views of one account as JSON in UTF-16 units, so that they fit into one record. */
const MAX_UNITS = 28_000;
/** Maximum length of a fragment and of a name in code points. */
export const MAX_VIEW_TEXT = 500;
/** Fragments of the views that every client has, which keep their names. */
const BUILT_IN_FRAGMENTS: readonly string[] = [
  ...["inbox", "recent", "feed", "drafts", "reminders"],
  ...["narrow/is/starred", "narrow/is/mentioned", "narrow/has/reaction/sender/me"],
];

/** Key of an account's navigation views, in the order of their creation. */
export function navigationViewsKey(realmId: number, userId: number): Key {
  return [realmId, "navigation_views", userId];
}

/** Returns the name of the in-process lock for changes of a user's navigation views. */
export function navigationViewsLock({ realm, user }: NavigationViewOwner): string {
  return `navigation views ${realm.id} ${user.id}`;
}

/**
 * Adds a view to the others of its owner.
 * @throws AppError BAD_REQUEST for a name that does not suit it, for a taken fragment or name, and when there
 * are too many views.
 */
export function addView(views: readonly NavigationView[], added: NavigationView): NavigationView[] {
  requireSuitableName(added);
  if (views.some(({ fragment }) => fragment === added.fragment)) throw alreadyExists();
  requireUnusedName(views, added);
  const all = [...views, added];
  requireRoom(all);
  return all;
}

/**
 * Replaces the view of the same fragment.
 * @throws AppError BAD_REQUEST as `addView`.
 */
export function replaceView(views: readonly NavigationView[], changed: NavigationView): NavigationView[] {
  requireSuitableName(changed);
  requireUnusedName(views, changed);
  const all = views.map((view) => view.fragment === changed.fragment ? changed : view);
  requireRoom(all);
  return all;
}

/**
 * Returns the view of a fragment.
 * @throws AppError BAD_REQUEST with status 404.
 */
export function getView(views: readonly NavigationView[], fragment: string): NavigationView {
  const found = views.find((view) => view.fragment === fragment);
  if (found !== undefined) return found;
  throw new AppError("BAD_REQUEST", "Navigation view does not exist.", { status: 404 });
}

function requireSuitableName({ fragment, name }: NavigationView): void {
  const isBuiltIn = BUILT_IN_FRAGMENTS.includes(fragment);
  if (isBuiltIn && name !== null) {
    throw new AppError("BAD_REQUEST", "Built-in views cannot have a custom name.");
  }
  if (!isBuiltIn && (name === null || name === "")) {
    throw new AppError("BAD_REQUEST", "Custom views must have a valid name.");
  }
}

function requireUnusedName(views: readonly NavigationView[], { fragment, name }: NavigationView): void {
  if (name === null) return;
  if (views.some((view) => view.name === name && view.fragment !== fragment)) throw alreadyExists();
}

function requireRoom(views: readonly NavigationView[]): void {
  if (views.length <= MAX_VIEWS && JSON.stringify(views).length <= MAX_UNITS) return;
  throw new AppError("BAD_REQUEST", "You have too many navigation views.");
}

function alreadyExists(): AppError {
  return new AppError("BAD_REQUEST", "Navigation view already exists.");
}
