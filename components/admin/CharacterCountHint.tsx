import CharacterCount from "@/islands/admin/CharacterCount.tsx";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { CHARACTERS_OVER } from "@/lib/ui/texts.ts";
import { translate } from "@/lib/ui/translate.ts";
import { useAdmin } from "./admin_view.ts";

const LEFT = { one: "{count} character left", other: "{count} characters left" };

/** Renders a hint with the maximum length of a field; it counts down once few characters are left. */
export function CharacterCountHint(
  { text, fieldId, limit }: { text: Phrase; fieldId: string; limit: number },
) {
  const { t, formatter: { language } } = useAdmin();
  const [left, over] = translate(language, [LEFT, CHARACTERS_OVER] as const);
  return (
    <>
      {t(text, { count: limit })} <CharacterCount {...{ fieldId, limit, language, left, over }} />
    </>
  );
}
