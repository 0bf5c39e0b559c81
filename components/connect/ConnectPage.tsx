import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { ConnectData } from "@/lib/pages/connect_page.ts";
import { AccountSection, AccountShell } from "../account/AccountShell.tsx";
import { ApiKeySection } from "../account/ApiKeySection.tsx";
import { FormNotice } from "../account/FormFields.tsx";
import { Link } from "../Link.tsx";
import { PageTitle } from "../PageFrame.tsx";
import { QrCode } from "../ShortLinkText.tsx";
import type { ComponentChildren } from "preact";
import { curlApostrophes } from "@/lib/core/text.ts";
import { FIELD_LABEL, FIELD_PROBLEM, PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import {
  CLIENT_PROGRAMS,
  type ClientProgram,
  type ConnectionValues,
  describeCheck,
  fillIn,
} from "@/lib/ui/client_programs.ts";

const MESSAGE_FIELDS = ["channel", "topic", "content"];

/** Renders the page that connects an app: address, first message, key, and the steps of each program. */
export function ConnectPage(data: ConnectData) {
  const { organization, user, values, apiKey, isWelcome, problems, notice } = data;
  const isRefused = Object.keys(problems).length > 0;
  const title = isWelcome ? `Welcome to ${organization}` : "Connect an app";
  return (
    <AccountShell
      title={isRefused ? "Not sent" : title}
      current="/connect"
      userName={user.fullName}
      organization={organization}
      icon={data.icon}
      adminPath={data.adminPath}
    >
      <PageTitle title={title}>
        {isWelcome
          ? "Your account is ready. Connect an app, or send your first message from here."
          : `Use ${organization} from a phone, a terminal or your own programs.`}
      </PageTitle>
      {notice !== null && (
        <div class="mt-6">
          <FormNotice kind="good" text={notice} takesFocus={apiKey.shown === null} />
        </div>
      )}
      <div class="mt-9">
        <AddressSection {...data} />
        <FirstMessage {...data} problems={pick(problems, MESSAGE_FIELDS)} />
        <ApiKeySection {...apiKey} action="/connect" problems={pick(problems, ["password"])} />
        <ProgramList values={values} hasAliases={data.hasAliases} />
      </div>
    </AccountShell>
  );
}

function pick(problems: ConnectData["problems"], names: readonly string[]): ConnectData["problems"] {
  return Object.fromEntries(Object.entries(problems).filter(([name]) => names.includes(name)));
}

function AddressSection({ organization, values: { address, email }, isLocal, user }: ConnectData) {
  return (
    <AccountSection
      id="address"
      title="Address"
      text="An app first asks for the address of your organization, then for your email address and password."
    >
      <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div class="grid min-w-0 flex-[1_1_14rem] gap-3">
          <code class="font-mono text-[0.95rem] leading-7 break-all select-all">{address}</code>
          <CopyText text={address} label="Copy address" done="Address copied" />
          <p class="text-small text-soft">
            You sign in with <span class="break-words text-ink">{email}</span>.
          </p>
          {isLocal && (
            <p class="text-small font-medium text-accent">
              This address works on this computer only. {user.role <= 200
                ? (
                  <>
                    Set <code>BASE_URL</code> to one that other devices reach:{" "}
                    <Link class="link" href="/docs/configuration#server">Configuration</Link>.
                  </>
                )
                : "Ask an administrator for one that your other devices reach."}
            </p>
          )}
        </div>
        <QrCode text={address} label={`QR code of the address of ${organization}`} />
      </div>
    </AccountSection>
  );
}

type FirstMessageProps = Pick<ConnectData, "channels" | "message" | "problems" | "user">;

/** Renders the form that sends a message, to see that everything works. */
function FirstMessage({ channels, message, problems, user }: FirstMessageProps) {
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

interface ProgramListProps {
  readonly values: ConnectionValues;
  /** Whether the server has the other names of fields that some programs need. */
  readonly hasAliases: boolean;
}

/** Renders the steps of each kind of program that was tried, and what does not work. */
function ProgramList({ values, hasAliases }: ProgramListProps) {
  return (
    <section aria-labelledby="programs-title" class="border-t border-rule py-8 md:py-10">
      <h2 id="programs-title">Programs</h2>
      <p class="mt-2 max-w-[60ch] text-small text-soft">
        Apps, libraries and tools for this API that were tried, with what does not work.{" "}
        <Link class="link" href="/docs">API documentation</Link>
      </p>
      <ul class="mt-5 border-t border-rule">
        {CLIENT_PROGRAMS.map((program, at) => (
          <li key={program.id} class="border-b border-rule">
            <details id={program.id} name="program" open={at === 0}>
              <summary class="min-h-11 content-center font-strong">
                {program.title}
                {program.needsAliases && !hasAliases && (
                  <span class="ms-2 font-normal text-soft">not yet on this server</span>
                )}
              </summary>
              <Program program={program} values={values} isReady={!program.needsAliases || hasAliases} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ProgramProps {
  readonly program: ClientProgram;
  readonly values: ConnectionValues;
  readonly isReady: boolean;
}

function Program({ program, values, isReady }: ProgramProps) {
  return (
    <div class="grid max-w-[44rem] gap-4 pt-1 pb-6">
      <p class="text-small text-soft">{curlApostrophes(describeCheck(program))}</p>
      {!isReady && (
        <p class="text-small font-medium text-accent">
          It needs other names of three fields, which the operator of this server sets first:{" "}
          <Link class="link" href="/docs/clients#connecting-clients">Connecting clients</Link>.
        </p>
      )}
      {program.parts.map((part) =>
        typeof part === "string"
          ? <p key={part}>{toInline(fillIn(part, values))}</p>
          : <Code key={part.code} code={fillIn(part.code, values, part.language)} />
      )}
      {program.limits.length > 0 && (
        <div class="text-small">
          <p class="font-strong">Not working</p>
          <ul class="mt-1 list-disc ps-5">
            {program.limits.map((limit) => <li key={limit} class="mt-1">{toInline(limit)}</li>)}
          </ul>
        </div>
      )}
    </div>
  );
}

function Code({ code }: { code: string }) {
  return (
    <div class="grid justify-items-start gap-2">
      <pre
        tabIndex={0}
        class="w-full overflow-x-auto rounded-control border border-rule bg-raised p-4 font-mono text-small"
      >
        {code.trimEnd()}
      </pre>
      <CopyText text={code} label="Copy" done="Copied" />
    </div>
  );
}

/** Returns a text with its code spans and links to documents as elements. */
function toInline(text: string) {
  return text.split(/(`[^`]+`|\[[^\]\[]+\]\([^)(]+\))/).map((piece, at) => {
    if (piece.startsWith("`")) {
      return <code key={at} class="font-mono text-[0.9em] break-words">{piece.slice(1, -1)}</code>;
    }
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece);
    if (link === null) return curlApostrophes(piece);
    const path = `/docs/${(link[2] ?? "").replace(".md", "")}`;
    return <Link key={at} class="link" href={path}>{link[1]}</Link>;
  });
}
