import { commonWords } from "./en/common.ts";
import { folderWords } from "./en/folders.ts";
import { permissionWords } from "./en/permissions.ts";
import { shellWords } from "./en/shell.ts";
import { toPseudo } from "./pseudo.ts";

const english = {
  common: commonWords,
  shell: shellWords,
  folders: folderWords,
  permissions: permissionWords,
};

/** Every text of the admin pages, by area. */
export type Words = typeof english;

/** Languages that there are words in; the last two are for tests: marked English, left to right and right to left. */
export const LANGUAGES = ["en", "en-XA", "ar-XB"] as const;

/** The words of one of LANGUAGES; of any other, the English ones. */
export function wordsOf(language: string): Words {
  if (language === "en-XA") return toPseudo(english, "ltr");
  if (language === "ar-XB") return toPseudo(english, "rtl");
  return english;
}
