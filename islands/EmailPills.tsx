import { useEffect } from "preact/hooks";
import { AddressPills, FileChoice, type PillWords } from "@/components/admin/invitations/AddressPills.tsx";
import { AddressSummary } from "@/components/admin/invitations/AddressSummary.tsx";
import { useAddresses } from "@/lib/client/addresses.ts";
import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import { TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { createSpeech, type Phrase } from "@/lib/ui/speech.ts";

interface EmailPillsProps {
  /** What stands in the box at first. */
  readonly text: string;
  /** The same as the server understood it, where it did. */
  readonly first: readonly CheckedAddress[];
  readonly isRefused: boolean;
  readonly language: string;
  readonly words: PillWords & {
    readonly invite: Phrase;
    readonly inviteNobody: string;
    readonly fileUnread: string;
    readonly failed: string;
  };
}

/** The box of addresses: what is typed, pasted or dropped becomes pills that the server has looked at. */
export default function EmailPills({ text, first, isRefused, language, words }: EmailPillsProps) {
  const { box, isLive, known, pending, problem, check, take } = useAddresses({ text, first, words });
  const speech = createSpeech({ language, timeZone: "" });
  const ready = known.value.filter((one) => one.problem === null).length;
  useEffect(() => {
    const button = box.current?.closest("form")?.querySelector("button[type=submit]");
    if (!button || !isLive.value) return;
    button.textContent = ready === 0 ? words.inviteNobody : speech.say(words.invite, { count: ready });
  }, [ready, isLive.value]);
  return (
    <div ref={box} class="grid gap-y-1.5">
      {isLive.value
        ? (
          <AddressPills
            known={known.value}
            pending={pending.value}
            words={words}
            speech={speech}
            onType={(typed) => pending.value = typed}
            onEnter={check}
            onRemove={(email) => known.value = known.value.filter((one) => one.email !== email)}
            onFiles={take}
          />
        )
        : <PlainBox text={text} isRefused={isRefused} placeholder={words.emailsPlaceholder} />}
      <div aria-live="polite">
        <AddressSummary checked={known.value} words={words} speech={speech} />
        {problem.value !== "" && <p class="text-small font-medium text-accent">{problem.value}</p>}
      </div>
      {isLive.value && <FileChoice words={words} onFiles={take} />}
    </div>
  );
}

type PlainBoxProps = Pick<EmailPillsProps, "text" | "isRefused"> & { readonly placeholder: string };

function PlainBox({ text, isRefused, placeholder }: PlainBoxProps) {
  return (
    <textarea
      id="emails"
      name="emails"
      rows={3}
      dir="auto"
      spellcheck={false}
      autocomplete="off"
      placeholder={placeholder}
      aria-invalid={isRefused}
      aria-describedby={isRefused ? "emails-problem emails-hint" : "emails-hint"}
      class={TEXT_FIELD}
      defaultValue={text}
    />
  );
}
