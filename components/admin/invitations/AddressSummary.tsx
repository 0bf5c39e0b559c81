import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import type { Phrase, Speech } from "@/lib/ui/speech.ts";

/** What is said of addresses. */
export interface AddressWords {
  readonly addressProblem: string;
  readonly moreProblems: Phrase;
  readonly othersReady: Phrase;
  readonly ready: Phrase;
  readonly noneReady: string;
}

interface AddressSummaryProps {
  readonly checked: readonly CheckedAddress[];
  readonly words: AddressWords;
  readonly speech: Pick<Speech, "say">;
}

/** Problems of so many addresses are told. */
const SHOWN = 8;

/** What is wrong with addresses, and how many are ready; drawn by the server, and by the script of the box. */
export function AddressSummary({ checked, words, speech }: AddressSummaryProps) {
  const bad = checked.filter(({ problem }) => problem !== null);
  const good = checked.length - bad.length;
  const more = bad.length - SHOWN;
  if (checked.length === 0) return null;
  return (
    <div class="text-small">
      {bad.length > 0 && (
        <ul class="font-medium text-accent">
          {bad.slice(0, SHOWN).map(({ email, problem }) => (
            <li key={email} dir="auto" class="break-words">
              {speech.say(words.addressProblem, { email, problem: problem ?? "" })}
            </li>
          ))}
          {more > 0 && <li>{speech.say(words.moreProblems, { count: more })}</li>}
        </ul>
      )}
      <p class="text-soft">
        {good === 0 ? words.noneReady : speech.say(bad.length > 0 ? words.othersReady : words.ready, {
          count: good,
        })}
      </p>
    </div>
  );
}
