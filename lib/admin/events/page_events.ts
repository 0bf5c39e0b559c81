import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { DECLARED_PAGES } from "../pages/declared_pages.ts";
import { findSubject } from "./shown_events.ts";

/** Events that concern an admin page. */
export interface ShownAt {
  /** Types of events that may concern the page. */
  readonly types: readonly string[];
  /** Whether an event concerns the page's content. */
  shows(event: ChatEvent): boolean;
}

/** Returns the events that concern the page at a path; null for none. */
export function findShownAt(path: string): ShownAt | null {
  for (const { path: pattern, shows: rules } of DECLARED_PAGES) {
    const subject = findSubject(pattern, path);
    if (subject === null || rules === undefined) continue;
    return {
      types: Object.keys(rules),
      shows: (event) => rules[event.type]?.(event, subject) ?? false,
    };
  }
  return null;
}
