import type { ComponentChildren } from "preact";
import type { ConnectData } from "@/lib/pages/connect_page.ts";
import { FIELD_LABEL, FIELD_PROBLEM, PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { AccountSection } from "../account/AccountSection.tsx";
import { Link } from "../Link.tsx";

type FirstMessageProps = Pick<ConnectData, "channels" | "message" | "problems" | "user">;

/** Renders the form that sends a message, to see that everything works. */
export function FirstMessage({ channels, message, problems, user }: FirstMessageProps) {
  const focused = ["channel", "topic", "content"].find((name) => problems[name] !== undefined);
  const common = (name: string) => ({
    id: `message-${name}`,
    name,
    autofocus: name === focused,
    "aria-invalid": problems[name] !== undefined,
    "aria-describedby": problems[name] === undefined ? undefined : `message-${name}-problem`,
  });
  return (
    <AccountSection
      id="first-message"
      title="First message"
      text="Sends a message as you, which everyone in the channel can read in their app."
    >
      {channels.length === 0
        ? <NoChannel isAdministrator={user.role <= 200} />
        : (
          <form method="post" action="/connect" noValidate class="grid gap-5">
            <Field name="channel" label="Channel" problems={problems}>
              <select {...common("channel")} class={TEXT_FIELD}>
                {channels.map(({ id, name }) => (
                  <option key={id} value={id} selected={id === message.channel}>#{name}</option>
                ))}
              </select>
            </Field>
            <Field name="topic" label="Topic" problems={problems}>
              <input
                {...common("topic")}
                defaultValue={message.topic}
                autoComplete="off"
                class={TEXT_FIELD}
              />
            </Field>
            <Field name="content" label="Message" problems={problems}>
              <textarea {...common("content")} rows={3} class={TEXT_FIELD}>{message.content}</textarea>
            </Field>
            <div>
              <button type="submit" name="action" value="send_message" class={PRIMARY_BUTTON}>
                Send message
              </button>
            </div>
          </form>
        )}
    </AccountSection>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly problems: FirstMessageProps["problems"];
  readonly children: ComponentChildren;
}

function Field({ name, label, problems, children }: FieldProps) {
  return (
    <div class="grid gap-y-1.5">
      <label for={`message-${name}`} class={FIELD_LABEL}>{label}</label>
      {children}
      {problems[name] !== undefined && (
        <p id={`message-${name}-problem`} class={FIELD_PROBLEM} role="alert">{problems[name]}</p>
      )}
    </div>
  );
}

function NoChannel({ isAdministrator }: { isAdministrator: boolean }) {
  return (
    <p class="text-soft">
      You are in no channel in which you may post. {isAdministrator
        ? <Link class="link" href="/admin/channels/new">Create a channel</Link>
        : "Ask an administrator to add you to one."}
    </p>
  );
}
