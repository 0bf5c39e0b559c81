import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import type { Formatter, Phrase } from "@/lib/ui/formatter.ts";

export interface AddressMessages {
  readonly addressProblem: string;
  readonly moreProblems: Phrase;
  readonly othersReady: Phrase;
  readonly ready: Phrase;
  readonly noneReady: string;
}

interface AddressSummaryProps {
  readonly checked: readonly CheckedAddress[];
  readonly messages: AddressMessages;
  readonly formatter: Pick<Formatter, "t">;
}

/** Maximum number of addresses whose problems are listed. */
const SHOWN = 8;

/**
 * Renders the problems of addresses and the number that are ready; rendered on the server and by the address
 * box.
 */
export function AddressSummary({ checked, messages, formatter }: AddressSummaryProps) {
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
              {formatter.t(messages.addressProblem, { email, problem: problem ?? "" })}
            </li>
          ))}
          {more > 0 && <li>{formatter.t(messages.moreProblems, { count: more })}</li>}
        </ul>
      )}
      <p class="text-soft">
        {good === 0
          ? messages.noneReady
          : formatter.t(bad.length > 0 ? messages.othersReady : messages.ready, {
            count: good,
          })}
      </p>
    </div>
  );
}
