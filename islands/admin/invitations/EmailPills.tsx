import { useEffect } from "preact/hooks";
import {
  AddressPills,
  AddressSummary,
  FileChoice,
  type PillMessages,
} from "@/components/admin/invitations/AddressPills.tsx";
import { useAddresses } from "@/lib/client/addresses.ts";
import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import { TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface EmailPillsProps {
  /** Initial text of the field. */
  readonly text: string;
  /** The addresses in it as the server parsed them, where it did. */
  readonly first: readonly CheckedAddress[];
  readonly isRefused: boolean;
  readonly language: string;
  readonly messages: PillMessages & { readonly failed: string };
}

/** The address field: typed, pasted or dropped addresses become pills that the server has checked. */
export default function EmailPills({ text, first, isRefused, language, messages }: EmailPillsProps) {
  const { box, isLive, known, pending, problem, check, take } = useAddresses({ text, first, messages });
  const formatter = createFormatter({ language, timeZone: "" });
  const ready = known.value.filter((one) => one.problem === null).length;
  useEffect(() => {
    const button = box.current?.closest("form")?.querySelector("button[type=submit]");
    if (!button || !isLive.value) return;
    button.textContent = ready === 0 ? messages.inviteNobody : formatter.t(messages.invite, { count: ready });
  }, [ready, isLive.value]);
  return (
    <div ref={box} class="grid gap-y-1.5">
      {isLive.value
        ? (
          <AddressPills
            known={known.value}
            pending={pending.value}
            messages={messages}
            formatter={formatter}
            onType={(typed) => pending.value = typed}
            onEnter={check}
            onRemove={(email) => known.value = known.value.filter((one) => one.email !== email)}
            onFiles={take}
          />
        )
        : (
          <textarea
            id="emails"
            name="emails"
            rows={3}
            dir="auto"
            spellcheck={false}
            autocomplete="off"
            placeholder={messages.emailsPlaceholder}
            aria-invalid={isRefused}
            aria-describedby={isRefused ? "emails-problem emails-hint" : "emails-hint"}
            class={TEXT_FIELD}
            defaultValue={text}
          />
        )}
      <div aria-live="polite">
        <AddressSummary checked={known.value} messages={messages} formatter={formatter} />
        {problem.value !== "" && <p class="text-small font-medium text-accent">{problem.value}</p>}
      </div>
      {isLive.value && <FileChoice messages={messages} onFiles={take} />}
    </div>
  );
}
