import { mapValues } from "es-toolkit/object/mapValues";
import type { DeclaredPage } from "../declare/page.tsx";
import * as modules from "./page_modules.ts";

/** The declared admin pages in the order of their paths, those without parameters first. */
export const DECLARED_PAGES: readonly DeclaredPage[] = Object.values(modules)
  .flatMap((module) => Object.values<unknown>(module).filter(isDeclaredPage))
  .toSorted((one, other) => orderOf(one) < orderOf(other) ? -1 : 1);

function isDeclaredPage(value: unknown): value is DeclaredPage {
  return typeof value === "function" && "formActions" in value;
}

function orderOf({ path }: DeclaredPage): string {
  return path.includes("[") ? `1 ${path}` : `0 ${path}`;
}

/** An admin page at a path. */
interface FoundPage {
  readonly page: DeclaredPage;
  /** Parameters of its path by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the admin page at a path, with or without a slash at its end; null for none. */
export function findDeclaredPage(path: string): FoundPage | null {
  for (const page of DECLARED_PAGES) {
    const match = page.pattern.exec(path);
    if (match !== null) return toFound(page, match.groups);
  }
  return null;
}

function toFound(page: DeclaredPage, groups: RegExpExecArray["groups"]): FoundPage | null {
  try {
    return { page, params: mapValues({ ...groups }, (value) => decodeURI(value)) };
  } catch {
    // A stream may name any text as the path of a page.
    return null;
  }
}
