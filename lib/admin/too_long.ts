import { codePointLength } from "@/lib/core/text.ts";
import type { AdminRequest } from "./admin_request.ts";

/** By how much fields are too long, in words; `texts` are what they hold, and their limits in code points. */
export function findTooLong(
  { words, speech }: Pick<AdminRequest, "words" | "speech">,
  texts: Readonly<Record<string, readonly [text: string | null, limit: number]>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([field, [text, limit]]) => {
      const count = codePointLength(text ?? "") - limit;
      return count > 0 ? [[field, speech.say(words.common.charactersOver, { count })]] : [];
    }),
  );
}
