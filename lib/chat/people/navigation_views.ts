import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { StoredList } from "../organization/collection.ts";
import { sendChangeEvent } from "../organization/events/send_events.ts";
import { bool, described, optional, type ParamValues, trimmed } from "../organization/params/param.ts";
import type { Caller } from "../organization/users/model.ts";

/** A view in the navigation of a user's clients, such as the inbox or a narrow. */
interface NavigationView {
  /** Fragment of the view's address without `#`; identifies the view. */
  readonly fragment: string;
  readonly is_pinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/** The navigation views of each user, in the order of their creation. */
export const navigationViewList = new StoredList<NavigationView, Caller>({
  key: ({ realm, actingUser }) => [realm.id, "navigation_views", actingUser.id],
  max: 100,
  full: () => "You have too many navigation views.",
});

/** Fragments of the views that every client has, which keep their names. */
const BUILT_IN_FRAGMENTS: readonly string[] = [
  "inbox",
  "recent",
  "feed",
  "drafts",
  "reminders",
  "narrow/is/starred",
  "narrow/is/mentioned",
  "narrow/has/reaction/sender/me",
];

/**
 * Adds a navigation view.
 * @throws AppError BAD_REQUEST for a name that does not suit it, for a taken fragment or name, and when there
 * are too many views.
 */
export async function createNavigationView(
  app: ChatApp,
  caller: Caller,
  { fragment, is_pinned, name }: ParamValues<typeof createNavigationViewParams>,
): Promise<void> {
  const navigation_view = { fragment, is_pinned, name: name ?? null };
  await changeViews(app, caller, (views) => {
    requireSuitableName(navigation_view);
    if (views.some((view) => view.fragment === fragment)) throw alreadyExists();
    requireUnusedName(views, navigation_view);
    return { after: [...views, navigation_view], change: { op: "add", navigation_view } };
  });
}

/**
 * Renames a navigation view, or changes whether it is pinned.
 * @throws AppError BAD_REQUEST as `createNavigationView`, with status 404 for an unknown fragment.
 */
export async function updateNavigationView(
  app: ChatApp,
  caller: Caller,
  { fragment, is_pinned, name }: ParamValues<typeof updateNavigationViewParams> & { fragment: string },
): Promise<void> {
  await changeViews(app, caller, (views) => {
    const before = getView(views, fragment);
    const data = {
      ...(is_pinned === undefined || is_pinned === before.is_pinned ? {} : { is_pinned }),
      ...(name === undefined || name === before.name ? {} : { name }),
    };
    const changed = { ...before, ...data };
    requireSuitableName(changed);
    requireUnusedName(views, changed);
    return {
      after: views.map((view) => view === before ? changed : view),
      change: Object.keys(data).length > 0 ? { op: "update", fragment, data } : null,
    };
  });
}

/** @throws AppError BAD_REQUEST with status 404 for an unknown fragment. */
export async function deleteNavigationView(app: ChatApp, caller: Caller, fragment: string): Promise<void> {
  await changeViews(app, caller, (views) => {
    const removed = getView(views, fragment);
    return { after: views.filter((view) => view !== removed), change: { op: "remove", fragment } };
  });
}

/** Changes the caller's views and sends the caller the event, unless there is none. */
async function changeViews(
  app: ChatApp,
  caller: Caller,
  edit: (before: readonly NavigationView[]) => {
    readonly after: readonly NavigationView[];
    readonly change: { readonly op: string; readonly [member: string]: unknown } | null;
  },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const before = await navigationViewList.get(tx, caller);
    const { after, change } = edit(before);
    if (change === null) return;
    navigationViewList.put(tx, caller, { before, after });
    const event = { type: "navigation_view", ...change };
    sendChangeEvent({ app, tx, ...caller }, event, [caller.actingUser.id]);
  }, navigationViewList.lock(caller));
}

function getView(views: readonly NavigationView[], fragment: string): NavigationView {
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

function alreadyExists(): AppError {
  return new AppError("BAD_REQUEST", "Navigation view already exists.");
}

const is_pinned = described(bool(), "Whether the view is always shown.");
const name = described(
  optional(trimmed({ max: 500 })),
  "Name of the view; required for views that are not built in, which alone have one.",
);

export const createNavigationViewParams = {
  fragment: described(
    trimmed({ max: 500, min: 1 }),
    "Fragment of the view's address without `#`, such as `inbox` or `narrow/is/unread`.",
  ),
  is_pinned,
  name,
};

export const updateNavigationViewParams = { is_pinned: optional(is_pinned), name };

export const navigationViewsSchema = z.object({
  navigation_views: z.array(
    z.object({
      fragment: z.string(),
      is_pinned: z.boolean(),
      name: z.string().nullable().meta({ description: "Null for built-in views." }),
    }).meta({ id: "NavigationView" }),
  ),
});

/** Returns the fragment in a path, whose slashes and other reserved characters may be percent-encoded. */
export function decodeFragment(segment = ""): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A percent sign of the fragment itself: the router has decoded it.
    return segment;
  }
}
