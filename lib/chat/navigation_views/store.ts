import type { ChatApp } from "../app.ts";
import { type NavigationView, type NavigationViewOwner, navigationViewsKey } from "./model.ts";

/** Lists a user's navigation views, the oldest first. */
export async function listNavigationViews(
  { reads }: ChatApp,
  { realm, user }: NavigationViewOwner,
): Promise<readonly NavigationView[]> {
  return await reads.read<readonly NavigationView[]>(navigationViewsKey(realm.id, user.id)) ?? [];
}
