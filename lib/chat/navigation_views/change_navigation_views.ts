import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { type NavigationViewChange, sendNavigationViewEvent } from "./events.ts";
import {
  addView,
  getView,
  type NavigationView,
  type NavigationViewOwner,
  navigationViewsKey,
  navigationViewsLock,
  replaceView,
} from "./model.ts";

/** The views of a user after a change, and the change for its event; null for none. */
interface ChangedViews {
  readonly views: readonly NavigationView[];
  readonly change: NavigationViewChange | null;
}

/**
 * Adds a navigation view.
 * @throws AppError BAD_REQUEST for a name that does not suit it, for a taken fragment or name, and when there
 * are too many views.
 */
export async function createNavigationView(
  app: ChatApp,
  owner: NavigationViewOwner,
  { fragment, is_pinned, name = null }: Omit<NavigationView, "name"> & { name?: string | null | undefined },
): Promise<void> {
  const navigation_view = { fragment, is_pinned, name };
  await changeViews(app, owner, (views) => ({
    views: addView(views, navigation_view),
    change: { op: "add", navigation_view },
  }));
}

/**
 * Renames a navigation view, or changes whether it is pinned.
 * @throws AppError BAD_REQUEST as `createNavigationView`, with status 404 for an unknown fragment.
 */
export async function updateNavigationView(
  app: ChatApp,
  owner: NavigationViewOwner,
  { fragment, is_pinned, name }: {
    fragment: string;
    is_pinned: boolean | undefined;
    name: string | undefined;
  },
): Promise<void> {
  await changeViews(app, owner, (views) => {
    const before = getView(views, fragment);
    const data = {
      ...(is_pinned === undefined || is_pinned === before.is_pinned ? {} : { is_pinned }),
      ...(name === undefined || name === before.name ? {} : { name }),
    };
    const isChanged = Object.keys(data).length > 0;
    return {
      views: replaceView(views, { ...before, ...data }),
      change: isChanged ? { op: "update", fragment, data } : null,
    };
  });
}

/**
 * Removes a navigation view.
 * @throws AppError BAD_REQUEST with status 404 for an unknown fragment.
 */
export async function deleteNavigationView(
  app: ChatApp,
  owner: NavigationViewOwner,
  fragment: string,
): Promise<void> {
  await changeViews(app, owner, (views) => {
    const removed = getView(views, fragment);
    return { views: views.filter((view) => view !== removed), change: { op: "remove", fragment } };
  });
}

async function changeViews(
  app: ChatApp,
  owner: NavigationViewOwner,
  edit: (views: readonly NavigationView[]) => ChangedViews,
): Promise<void> {
  const key = navigationViewsKey(owner.realm.id, owner.user.id);
  await transact(app.store, async (tx) => {
    const { views, change } = edit(await tx.get<readonly NavigationView[]>(key) ?? []);
    if (change === null) return;
    if (views.length === 0) tx.delete(key);
    else tx.set(key, views);
    sendNavigationViewEvent(tx, app.clock.now(), { owner, change });
  }, navigationViewsLock(owner));
}
