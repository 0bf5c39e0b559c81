import { QUIET_BUTTON, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { AccountSection } from "./AccountSection.tsx";

/** A session of the user. */
export interface AccountSession {
  readonly id: string;
  /** Time of the sign-in, as text that follows "Signed in". */
  readonly createdAt: string;
  /** Time of the last use, as text that follows "last used". */
  readonly lastUsedAt: string;
  /** Name of the browser and the operating system. */
  readonly device: string;
  /** Whether this is the session of the current request. */
  readonly isCurrent: boolean;
}

/** Lists the user's sessions, with buttons that end them. */
export function SessionsSection({ sessions }: { sessions: readonly AccountSession[] }) {
  return (
    <AccountSection
      id="sessions"
      title="Sessions"
      text="Devices where you are signed in. If you do not recognize one, sign it out and change your password."
    >
      <ul class="-mt-3 divide-y divide-rule border-b border-rule">
        {sessions.map((session) => <Session key={session.id} {...session} />)}
      </ul>
      <form method="post" action="/account" class="mt-5">
        <button
          type="submit"
          name="action"
          value="end_sessions"
          aria-describedby="end-sessions-hint"
          class={QUIET_BUTTON}
        >
          Sign out everywhere
        </button>
        <p id="end-sessions-hint" class="mt-2 text-small text-soft">
          Including this browser. Your API key keeps working.
        </p>
      </form>
    </AccountSection>
  );
}

function Session({ id, createdAt, lastUsedAt, device, isCurrent }: AccountSession) {
  return (
    <li class="flex min-h-11 items-center justify-between gap-x-5 py-3">
      <div class="min-w-0">
        <p class="font-strong break-words">{device}</p>
        <p class="text-small text-soft">Signed in {createdAt}, last used {lastUsedAt}</p>
      </div>
      {isCurrent
        ? <p class="shrink-0 rounded-small bg-wash px-2 py-1 text-small">This browser</p>
        : <EndSession id={id} device={device} />}
    </li>
  );
}

function EndSession({ id, device }: { id: string; device: string }) {
  return (
    <form method="post" action="/account" class="shrink-0">
      <input type="hidden" name="session_id" value={id} />
      <button type="submit" name="action" value="end_session" class={WORD_BUTTON}>
        Sign out <span class="sr-only">{device}</span>
      </button>
    </form>
  );
}
