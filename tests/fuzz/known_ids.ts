/** Kinds of records that requests refer to. */
export const KINDS = [
  "user",
  "bot",
  "channel",
  "message",
  "group",
  "folder",
  "linkifier",
  "playground",
  "field",
  "draft",
  "snippet",
  "attachment",
  "invite",
  "link",
  "device",
  "export",
  "queue",
  "email",
  "emoji",
  "domain",
  "file",
  "short",
  "upload",
  "key",
  "topic",
  "name",
  "realm",
  "password",
] as const;
/** Kind of a record. */
export type Kind = typeof KINDS[number];

/** Kinds by the names of parameters and of members of answers. */
const KIND_OF_NAME: readonly (readonly [RegExp, Kind])[] = [
  [/^(stream_id|stream_ids|streams|channel_ids?|new_stream_announcements_stream_id|channels)$/, "channel"],
  [/^(message_ids?|messages|msg_ids|anchor|first_id|max_message_id)$/, "message"],
  [/^bot_id$/, "bot"],
  [
    /^(user_group_id|group_id|group_ids|groups|subgroups?|direct_subgroups|\w+_group|\w+_subgroups)$/,
    "group",
  ],
  [
    /^(user_?ids?|users?|principals|members?|subscribers|direct_members|target_users|muted_user_id|bot_owner_id|to|add|delete|sender_id)$/,
    "user",
  ],
  [/^(folder_id|channel_folder_id|channel_folders)$/, "folder"],
  [/^(filter_id|ordered_linkifier_ids|linkifiers)$/, "linkifier"],
  [/^(playground_id|realm_playgrounds)$/, "playground"],
  [/^(field_id|custom_fields|order)$/, "field"],
  [/^(draft_id|drafts)$/, "draft"],
  [/^(saved_snippet_id|saved_snippets)$/, "snippet"],
  [/^(attachment_id|attachments)$/, "attachment"],
  [/^(invite_id|invites)$/, "invite"],
  [/^device_id$/, "device"],
  [/^(export_id|exports)$/, "export"],
  [/^queue_id$/, "queue"],
  [/^(email|username|delivery_email|new_email|invitee_emails|user)$/, "email"],
  [/^(emoji_name|emoji)$/, "emoji"],
  [/^domain$/, "domain"],
  [/^path$/, "file"],
  [/^short$/, "short"],
  [/^realm_id$/, "realm"],
  [/^(topic|topic_name|subject|orig_subject)$/, "topic"],
  [/^(name|new_name|stream|display_recipient)$/, "name"],
  [/password/, "password"],
];

/** Returns the kind of record that a name refers to; null for other names. */
export function kindOf(name: string): Kind | null {
  return KIND_OF_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/**
 * Returns a placeholder for the id or the text of a record; number 0 is the newest. It consists of digits, so
 * that every encoding of a request leaves it as it is.
 */
export function placeholder(kind: Kind, number: number): number {
  return 7_700_000 + KINDS.indexOf(kind) * 1000 + number % 1000;
}

/** Number of records of each kind that are remembered. */
const MAX_REMEMBERED = 60;
const PLACEHOLDER = /77(\d\d)(\d{3})(?!\d)/g;

/** Ids and texts of existing and former records, which later requests refer to. */
export class KnownIds {
  readonly #byKind = new Map<Kind, string[]>();

  /** Remembers a record, as the newest of its kind if it is not yet known. */
  remember(kind: Kind, id: string | number): void {
    const text = String(id);
    const ids = this.#byKind.get(kind) ?? [];
    if (!ids.includes(text)) this.#byKind.set(kind, [...ids, text].slice(-MAX_REMEMBERED));
  }

  /** Returns the newest record of a kind. */
  first(kind: Kind): string {
    const found = this.#byKind.get(kind)?.at(-1);
    if (found === undefined) throw new Error(`No record of the kind ${kind} is known`);
    return found;
  }

  /** Replaces the placeholders in a text by what is remembered. */
  resolve(text: string): string {
    return text.replaceAll(PLACEHOLDER, (whole, kind: string, number: string) => {
      const ids = this.#byKind.get(KINDS[Number(kind)] ?? "user") ?? [];
      return ids.at(-1 - Number(number) % Math.max(1, ids.length)) ?? whole;
    });
  }

  /** Remembers the ids in an answer; `path` is that of its request. */
  rememberAnswer(path: string, answer: unknown): void {
    this.#walk(answer, kindOfPath(path), 0);
  }

  #walk(value: unknown, kind: Kind | null, depth: number): void {
    if (value === null || typeof value !== "object" || depth > 4) return;
    const entries = Object.entries(value).slice(0, MAX_REMEMBERED);
    for (const [name, member] of entries) {
      if (Array.isArray(value)) {
        this.#walk(member, kind, depth + 1);
        continue;
      }
      const own = /^ids?$/.test(name) ? kind : kindOf(name);
      if (own !== null) this.#rememberAll(own, member);
      this.#walk(member, kindOf(name) ?? kind, depth + 1);
    }
  }

  #rememberAll(kind: Kind, value: unknown): void {
    const values: unknown[] = Array.isArray(value) ? value.slice(0, MAX_REMEMBERED) : [value];
    for (const one of values) {
      if (Number.isSafeInteger(one) && isNumbered(kind)) this.remember(kind, Number(one));
      if (typeof one === "string" && !isNumbered(kind) && /^[^"\\\p{Cc}]{1,60}$/u.test(one)) {
        this.remember(kind, one);
      }
    }
  }
}

/** Whether the records of a kind have numbers for ids. */
function isNumbered(kind: Kind): boolean {
  return KINDS.indexOf(kind) < KINDS.indexOf("queue");
}

const KIND_OF_PATH: readonly (readonly [RegExp, Kind])[] = [
  [/\/messages/, "message"],
  [/\/drafts/, "draft"],
  [/\/saved_snippets/, "snippet"],
  [/\/realm\/filters/, "linkifier"],
  [/\/realm\/playgrounds/, "playground"],
  [/\/profile_fields/, "field"],
  [/\/channel_folders/, "folder"],
  [/\/user_groups/, "group"],
  [/\/(channels|streams)/, "channel"],
  [/\/invites/, "invite"],
  [/\/attachments/, "attachment"],
  [/\/export\/realm/, "export"],
];

function kindOfPath(path: string): Kind | null {
  return KIND_OF_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
