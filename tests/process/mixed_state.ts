import assert from "node:assert/strict";
import type { Observed } from "./history.ts";
import { ask, type Sender } from "./messages_traffic.ts";

/** A file that a server lists. */
export interface ListedFile {
  readonly name: string;
  /** Path below `/user_uploads/`. */
  readonly path: string;
  readonly sender: Sender;
}

/** State of a server, in the form in which a history is held against it. */
export interface MixedState extends Observed {
  readonly files: readonly ListedFile[];
}

interface ListedMessage {
  readonly id: number;
  readonly content: string;
  readonly reactions: readonly unknown[];
}

/** Reads messages, files, invitations and statuses of an organization; the owner comes first. */
export async function readMixedState(url: string, people: readonly Sender[]): Promise<MixedState> {
  const [owner] = people;
  assert.ok(owner !== undefined);
  const messages = (await Promise.all(people.map((person) => listMessages(url, person)))).flat();
  const files = (await Promise.all(people.map((person) => listFiles(url, person)))).flat();
  const { invites } = await read<{ invites: { email: string }[] }>(url, owner, "/invites");
  const toName = ({ content }: ListedMessage) => content.split(" ")[0] ?? "";
  return {
    files,
    items: {
      message: messages.map(toName),
      file: files.map(({ name }) => name),
      invitation: invites.map(({ email }) => email),
    },
    values: {
      edit: new Map(messages.map((message) => [toName(message), message.content])),
      reaction: new Map(messages.map((message) => [toName(message), String(message.reactions.length)])),
      status: new Map(await Promise.all(people.map((person) => readStatus(url, person)))),
    },
  };
}

async function listMessages(url: string, sender: Sender): Promise<ListedMessage[]> {
  const found: ListedMessage[] = [];
  for (let anchor = 0;;) {
    const query = new URLSearchParams({
      ...{ anchor: String(anchor), num_before: "0", num_after: "1000", include_anchor: "false" },
      ...{ narrow: JSON.stringify([["sender", sender.id]]), apply_markdown: "false" },
    });
    const path = `/messages?${query}`;
    const page = await read<{ messages: ListedMessage[]; found_newest: boolean }>(url, sender, path);
    found.push(...page.messages);
    if (page.found_newest) return found;
    anchor = page.messages.at(-1)?.id ?? Infinity;
  }
}

async function listFiles(url: string, sender: Sender): Promise<ListedFile[]> {
  const { attachments } = await read<{ attachments: { name: string; path_id: string }[] }>(
    url,
    sender,
    "/attachments",
  );
  return attachments.map(({ name, path_id }) => ({ name, path: path_id, sender }));
}

async function readStatus(url: string, sender: Sender): Promise<[string, string]> {
  const { status } = await read<{ status: { status_text?: string } }>(
    url,
    sender,
    `/users/${sender.id}/status`,
  );
  return [String(sender.id), status.status_text ?? ""];
}

async function read<T>(url: string, { authorization }: Sender, path: string): Promise<T> {
  const reply = await ask(`${url}/api/v1${path}`, { headers: { authorization } });
  assert.equal(reply?.status, 200, `${path}: ${reply?.text.slice(0, 300)}`);
  return JSON.parse(reply?.text ?? "");
}
