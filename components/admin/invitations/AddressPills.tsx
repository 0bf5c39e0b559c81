import { type CheckedAddress, toListed } from "@/lib/ui/checked_address.ts";
import type { Formatter } from "@/lib/ui/formatter.ts";

/** Texts of the address field. */
export const PILL_MESSAGES = {
  addressProblem: "{email}: {problem}",
  moreProblems: {
    one: "{count} more address cannot be invited.",
    other: "{count} more addresses cannot be invited.",
  },
  othersReady: { one: "{count} other address is ready.", other: "{count} other addresses are ready." },
  ready: { one: "{count} address is ready.", other: "{count} addresses are ready." },
  noneReady: "None of these addresses can be invited.",
  emailsPlaceholder: "Enter or paste addresses",
  removeAddress: "Remove {email}",
  moreAddresses: { one: "and {count} more", other: "and {count} more" },
  invite: { one: "Invite {count} person", other: "Invite {count} people" },
  inviteNobody: "Invite",
  chooseFile: "Choose a file",
  dropHint: "You can also drop a text or CSV file into the box.",
  fileUnread: "The file could not be read. Choose a text file of up to 1 MB.",
};
export type PillMessages = typeof PILL_MESSAGES;

interface AddressPillsProps {
  readonly known: readonly CheckedAddress[];
  /** Text that is not a pill yet. */
  readonly pending: string;
  readonly messages: PillMessages;
  readonly formatter: Pick<Formatter, "t">;
  readonly onType: (typed: string) => void;
  /** Called when the typed text is to become pills. */
  readonly onEnter: () => void;
  readonly onRemove: (email: string) => void;
  readonly onFiles: (files: FileList) => void;
}

/** Maximum number of pills drawn; further ones are only counted. */
const MAX_PILLS = 120;
/** Maximum number of addresses whose problems are listed. */
const MAX_PROBLEMS = 8;
const ENDS = /[,;\n][^\S\n]*$/;

/** Renders addresses as pills in a box that accepts more; rendered in the browser only. */
export function AddressPills(props: AddressPillsProps) {
  const { known, messages, formatter, onRemove, onFiles } = props;
  const hidden = known.length - MAX_PILLS;
  const drop = (event: DragEvent) => {
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  return (
    <div
      class="flex max-h-64 min-h-11 cursor-text flex-wrap items-center gap-1.5 overflow-y-auto rounded-control border border-edge bg-paper px-2 py-1.5 has-[input:focus-visible]:outline-[2.5px] has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <input
        type="hidden"
        name="emails"
        value={[...known.map(toListed), props.pending].filter((part) => part.trim() !== "").join("\n")}
      />
      <ul class="contents">
        {known.slice(0, MAX_PILLS).map((one) => (
          <Pill key={one.email} address={one} messages={messages} formatter={formatter} onRemove={onRemove} />
        ))}
      </ul>
      {hidden > 0 && (
        <span class="text-small text-soft">{formatter.t(messages.moreAddresses, { count: hidden })}</span>
      )}
      <TypedAddress {...props} />
    </div>
  );
}

interface PillProps extends Pick<AddressPillsProps, "messages" | "formatter" | "onRemove"> {
  readonly address: CheckedAddress;
}

function Pill({ address: { email, name, problem }, messages, formatter, onRemove }: PillProps) {
  const look = problem === null
    ? "border-transparent bg-wash"
    : "border-accent text-accent forced-colors:border-dashed";
  const remove = () => {
    // The pressed button disappears, so the field takes the focus.
    document.getElementById("emails")?.focus();
    onRemove(email);
  };
  return (
    <li
      title={problem ?? (name || undefined)}
      class={`inline-flex max-w-full items-center rounded-small border ps-2 text-small ${look}`}
    >
      <bdi class="min-w-0 break-all">{email}</bdi>
      <button
        type="button"
        aria-label={formatter.t(messages.removeAddress, { email })}
        onClick={remove}
        class="min-h-7 min-w-7 flex-none cursor-pointer text-soft hover:text-ink"
      >
        ×
      </button>
    </li>
  );
}

function TypedAddress({ known, pending, messages, onType, onEnter, onRemove }: AddressPillsProps) {
  const press = (event: KeyboardEvent) => {
    const last = known.at(-1);
    if (event.key === "Enter" && pending.trim() !== "") {
      event.preventDefault();
      onEnter();
    } else if (event.key === "Backspace" && pending === "" && last !== undefined) onRemove(last.email);
  };
  const type = (typed: string) => {
    onType(typed);
    if (ENDS.test(typed)) onEnter();
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData("text") ?? "";
    // A single-line field would drop the line breaks that separate the addresses.
    event.preventDefault();
    onType([pending, text].filter((part) => part.trim() !== "").join("\n"));
    onEnter();
  };
  return (
    <input
      id="emails"
      type="text"
      inputMode="email"
      dir="auto"
      autocomplete="off"
      spellcheck={false}
      value={pending}
      placeholder={messages.emailsPlaceholder}
      aria-invalid={known.some(({ problem }) => problem !== null)}
      aria-describedby="emails-hint"
      onInput={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={press}
      onPaste={paste}
      onBlur={onEnter}
      class="min-h-8 min-w-[12rem] flex-1 bg-transparent px-1 outline-none placeholder:text-small placeholder:text-soft"
    />
  );
}

export function FileChoice({ messages, onFiles }: Pick<AddressPillsProps, "messages" | "onFiles">) {
  return (
    <p class="flex flex-wrap items-center gap-x-3 text-small text-soft">
      {messages.dropHint}
      <label class="link inline-flex min-h-6 cursor-pointer rounded-small font-medium text-ink has-[input:focus-visible]:outline-[2.5px] has-[input:focus-visible]:outline-focus">
        {messages.chooseFile}
        <input
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          class="sr-only"
          onChange={({ currentTarget }) => currentTarget.files !== null && onFiles(currentTarget.files)}
        />
      </label>
    </p>
  );
}

interface AddressSummaryProps extends Pick<AddressPillsProps, "messages" | "formatter"> {
  readonly checked: readonly CheckedAddress[];
}

/** Renders the problems of addresses and the number that are ready. */
export function AddressSummary({ checked, messages, formatter }: AddressSummaryProps) {
  const bad = checked.filter(({ problem }) => problem !== null);
  const good = checked.length - bad.length;
  const more = bad.length - MAX_PROBLEMS;
  if (checked.length === 0) return null;
  return (
    <div class="text-small">
      {bad.length > 0 && (
        <ul class="font-medium text-accent">
          {bad.slice(0, MAX_PROBLEMS).map(({ email, problem }) => (
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
