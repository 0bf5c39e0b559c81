/** A field on a user's card, with an example answer. */
export interface CardEntry {
  readonly label: string;
  readonly value: string;
  /** Address the answer links to; empty for anything but an external account. */
  readonly address: string;
  /** Hint for users who fill in the field. */
  readonly hint: string;
  readonly isOnCard: boolean;
}

export interface CardPreviewProps {
  readonly person: string;
  readonly role: string;
  /** Entry of the field that the form edits. */
  readonly line: CardEntry;
  readonly others: readonly CardEntry[];
  /** Number of the others before the field. */
  readonly position: number;
  /** Text around the fields. */
  readonly texts: Readonly<Record<"title" | "notOnCard" | "hintShown", string>>;
}

/** Renders a user's card with the field on it, or the field below the card if it is not displayed there. */
export function CardPreview({ person, role, line, others, position, texts }: CardPreviewProps) {
  const lines = line.isOnCard ? others.toSpliced(position, 0, line) : others;
  return (
    <>
      <h2 class="mb-3 text-lede">{texts.title}</h2>
      <div class="rounded-panel border border-rule bg-raised p-5">
        <p class="font-serif text-h2 break-words">
          <bdi>{person}</bdi>
        </p>
        <p class="text-small text-soft">{role}</p>
        {lines.length > 0 && <Lines lines={lines} marked={line} className="mt-3 border-t border-rule pt-3" />}
      </div>
      {!line.isOnCard && (
        <>
          <p class="mt-4 text-small text-soft">{texts.notOnCard}</p>
          <Lines lines={[line]} marked={line} className="mt-2 border-s border-rule ps-4" />
        </>
      )}
      {line.hint !== "" && (
        <p class="mt-4 text-small text-soft">
          {texts.hintShown} <bdi class="text-ink">{line.hint}</bdi>
        </p>
      )}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly CardEntry[];
  readonly marked: CardEntry;
  readonly className: string;
}

function Lines({ lines, marked, className }: LinesProps) {
  return (
    <dl class={`grid gap-3 ${className}`}>
      {lines.map((line, at) => (
        <div key={at} class={line === marked ? "" : "text-soft"}>
          <dt class="text-small text-soft">
            <bdi>{line.label}</bdi>
          </dt>
          <dd>
            <bdi class={line.address === "" ? "" : "link"}>{line.value}</bdi>
            {line.address !== "" && (
              <span dir="ltr" class="block font-mono text-tiny break-all text-soft">{line.address}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
