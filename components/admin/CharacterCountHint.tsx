import CharacterCount from "@/islands/admin/CharacterCount.tsx";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { useAdmin } from "./admin_view.ts";

/** Renders a hint with the maximum length of a field; it counts down once few characters are left. */
export function CharacterCountHint(
  { text, fieldId, limit }: { text: Phrase; fieldId: string; limit: number },
) {
  const { messages, formatter } = useAdmin();
  return (
    <>
      {formatter.t(text, { count: limit })}{" "}
      <CharacterCount
        fieldId={fieldId}
        limit={limit}
        language={formatter.language}
        left={messages.common.charactersLeft}
        over={messages.common.charactersOver}
      />
    </>
  );
}
