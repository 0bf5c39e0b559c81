import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { findDeclaredPage } from "../pages/declared_pages.ts";

/** Events that concern an admin page. */
export interface ShownAt {
  /** Types of events that may concern the page. */
  readonly types: readonly string[];
  /** Whether an event concerns the page's content. */
  shows(event: ChatEvent): boolean;
}

/** Returns the events that concern the page at a path; null for none. */
export function findShownAt(path: string): ShownAt | null {
  const { page, params } = findDeclaredPage(path) ?? {};
  const rules = page?.shows;
  if (rules === undefined) return null;
  const subject = Object.values({ ...params }).join();
  return { types: Object.keys(rules), shows: (event) => rules[event.type]?.(event, subject) ?? false };
}
