import { z } from "zod";
import { bool, described, optional, trimmed } from "../params/param.ts";
import { MAX_VIEW_TEXT } from "./model.ts";

const fragment = described(
  trimmed({ max: MAX_VIEW_TEXT, min: 1 }),
  "Fragment of the view's address without `#`, such as `inbox` or `narrow/is/unread`.",
);
const is_pinned = described(bool(), "Whether the view is always shown.");
const name = described(
  optional(trimmed({ max: MAX_VIEW_TEXT })),
  "Name of the view; required for views that are not built in, which alone have one.",
);

/** Parameters of adding a navigation view. */
export const createNavigationViewParams = { fragment, is_pinned, name };

/** Parameters of editing a navigation view. */
export const updateNavigationViewParams = { is_pinned: optional(is_pinned), name };

/** Response of listing navigation views. */
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
