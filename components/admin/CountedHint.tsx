import CharacterCount from "@/islands/CharacterCount.tsx";
import { useAdmin } from "./admin_view.ts";

/** A hint that tells how many characters a field takes, and counts down once few are left. */
export function CountedHint({ text, fieldId, limit }: { text: string; fieldId: string; limit: number }) {
  const { words, speech } = useAdmin();
  return (
    <>
      {speech.say(text, { count: limit })}{" "}
      <CharacterCount
        fieldId={fieldId}
        limit={limit}
        language={speech.language}
        left={words.common.charactersLeft}
        over={words.common.charactersOver}
      />
    </>
  );
}
