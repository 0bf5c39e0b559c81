import type { ChannelFormChoices } from "@/lib/admin/channels/channel_form.ts";
import type { ChannelKind } from "@/lib/admin/channels/channel_kind.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import type { FormState } from "../form_state.ts";

const KINDS: readonly ChannelKind[] = ["public", "shared", "protected", "web"];

interface KindChoiceProps {
  readonly state: FormState;
  readonly stored: ChannelKind;
  readonly choices: ChannelFormChoices;
  /** Whether the administrator may change the kind. */
  readonly canChange?: boolean;
}

/** Renders the choice of a channel's kind, which decides who can read it, each with an explanation. */
export function KindChoice({ state, stored, choices, canChange = true }: KindChoiceProps) {
  const { messages } = useAdmin();
  const text = messages.channels;
  const chosen = state.value("kind", stored) || stored;
  const problem = state.problem("kind");
  const described = [...(problem === undefined ? [] : ["kind-problem"]), ...(canChange ? [] : ["kind-note"])];
  return (
    <fieldset class="grid min-w-0 gap-y-1.5" aria-describedby={described.join(" ") || undefined}>
      <legend class={`${FIELD_LABEL} mb-1.5`}>{text.kindTitle}</legend>
      {!canChange && <p id="kind-note" class={FIELD_HINT}>{text.notYours}</p>}
      <div class="grid gap-x-6 gap-y-1 md:grid-cols-2">
        {KINDS.map((kind) => (
          <KindOption
            key={kind}
            kind={kind}
            isChosen={kind === chosen}
            isDisabled={kind !== stored && (!canChange || (kind === "web" && choices.whyNotOnWeb !== null))}
            why={kind === "web" && kind !== stored ? choices.whyNotOnWeb : null}
          />
        ))}
      </div>
      {problem !== undefined && <p id="kind-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
    </fieldset>
  );
}

interface KindOptionProps {
  readonly kind: ChannelKind;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
  /** Reason the kind is not available. */
  readonly why: string | null;
}

function KindOption({ kind, isChosen, isDisabled, why }: KindOptionProps) {
  const { messages } = useAdmin();
  const id = `kind-${kind}`;
  return (
    <div class="flex items-start gap-2.5 py-1.5">
      <input
        id={id}
        type="radio"
        name="kind"
        value={kind}
        defaultChecked={isChosen}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        class="mt-0.5 size-5 flex-none accent-ink"
      />
      <div class="min-w-0">
        <label for={id} class={`text-small font-strong ${isDisabled ? "text-soft" : ""}`}>
          {messages.channels.kinds[kind]}
        </label>
        <p id={`${id}-hint`} class={FIELD_HINT}>{why ?? messages.channels.kindHints[kind]}</p>
      </div>
    </div>
  );
}
