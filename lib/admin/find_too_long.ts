import { codePointLength } from "@/lib/core/text.ts";
import { CHARACTERS_OVER } from "@/lib/ui/texts.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Returns messages for fields beyond their limits; `texts` holds their values and limits in code points. */
export function findTooLong(
  { t }: Pick<AdminRequest, "t">,
  texts: Readonly<Record<string, readonly [text: string | null, limit: number]>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([field, [text, limit]]) => {
      const count = codePointLength(text ?? "") - limit;
      return count > 0 ? [[field, t(CHARACTERS_OVER, { count })]] : [];
    }),
  );
}
