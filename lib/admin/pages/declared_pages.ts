import type { DeclaredPage } from "../declare/page.tsx";
import * as channelFolders from "./channel_folders.tsx";
import * as playgrounds from "./playgrounds.tsx";

/** The declared admin pages: everything that their files export. */
export const DECLARED_PAGES: readonly DeclaredPage[] = [channelFolders, playgrounds]
  .flatMap((pages) => Object.values<DeclaredPage>(pages));
