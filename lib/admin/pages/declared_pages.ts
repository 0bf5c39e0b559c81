import type { DeclaredPage } from "../declare/page.tsx";
import { deletePlaygroundPage, playgroundsPage } from "./playgrounds.tsx";

/** The declared admin pages. */
export const DECLARED_PAGES: readonly DeclaredPage[] = [playgroundsPage, deletePlaygroundPage];
