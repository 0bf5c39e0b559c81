import { findUserByEmail, readUser } from "@/lib/chat/users/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { readDirectory } from "@/lib/chat/users/directory.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import type { AdminRequest } from "./admin_request.ts";
import { FormRefusal } from "./admin_page.ts";
import { linesOf, toPersonLine } from "@/lib/ui/permission_fields.ts";

/** The most people that one field takes. */
const MAX_NAMED_PEOPLE = 1000;

/** How people are written into a field: one on each line, by name and id, so that each is found again. */
export function toPeopleText(users: readonly Pick<UserRecord, "id" | "full_name">[]): string {
  return users.map(toPersonLine).join("\n");
}

/**
 * The active accounts that a text names, by names, addresses and ids, one on each line or with commas between them;
 * each once, in their order. Bots are among them.
 * @throws FormRefusal at `field`, naming who is not found or not told apart from others.
 */
export async function findPeople(
  request: AdminRequest,
  text: string,
  field: string,
): Promise<readonly UserRecord[]> {
  const { words, speech } = request;
  const lines = linesOf(text);
  if (lines.length > MAX_NAMED_PEOPLE) {
    const problem = speech.say(words.permissions.tooManyPeople, { count: MAX_NAMED_PEOPLE });
    throw new FormRefusal({ [field]: problem });
  }
  const book = addressBook(request);
  const found = new Map<number, UserRecord>();
  for (const line of lines) {
    const whole = await findOne(request, line, book);
    const names = whole.length > 0 ? [line] : line.split(",").map((name) => name.trim()).filter(Boolean);
    for (const name of names.slice(0, MAX_NAMED_PEOPLE)) {
      const users = names.length === 1 && name === line ? whole : await findOne(request, name, book);
      const [user] = users;
      if (user === undefined || users.length > 1) {
        throw new FormRefusal({ [field]: refusal(request, name, users.length) });
      }
      found.set(user.id, user);
    }
  }
  return [...found.values()];
}

function refusal({ words, speech }: AdminRequest, name: string, count: number): string {
  const text = words.permissions;
  const phrase = count > 1 ? text.severalPeople : /^\d+$/.test(name) ? text.noId : text.noPerson;
  return speech.say(phrase, { name: name.slice(0, 100) });
}

/** Active accounts by their names as they are compared. */
type AddressBook = () => Promise<ReadonlyMap<string, readonly UserRecord[]>>;

/** Reads all accounts once, and only where a name has to be looked for. */
function addressBook({ chat, realm }: AdminRequest): AddressBook {
  let book: Promise<ReadonlyMap<string, readonly UserRecord[]>> | null = null;
  return () => {
    book ??= readDirectory(chat, realm.id).then(({ byName }) =>
      Map.groupBy(byName.filter(({ is_active }) => is_active), ({ full_name }) => foldName(full_name))
    );
    return book;
  };
}

function foldName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}

/** Every active account that one name, address or id may mean. */
async function findOne(
  { chat, realm }: AdminRequest,
  text: string,
  book: AddressBook,
): Promise<readonly UserRecord[]> {
  const id = /^(?:(.*)\()?(\d{1,15})\)?$/.exec(text);
  if (id !== null) {
    const [, name, digits] = id;
    const user = await readUser(chat, realm.id, Number(digits));
    const isMeant = user !== null && (name === undefined || foldName(name) === foldName(user.full_name));
    if (isMeant) return user.is_active && user.is_system_bot !== true ? [user] : [];
  }
  if (text.includes("@")) {
    const user = await findUserByEmail(chat, realm, text);
    if (user?.is_active === true && user.is_system_bot !== true) return [user];
  }
  return (await book()).get(foldName(text)) ?? [];
}

/**
 * The ids of the groups in use that lines `@name` name.
 * @throws FormRefusal at `field` for an unknown one.
 */
export async function findGroups(
  { chat, realm, words, speech }: AdminRequest,
  lines: readonly string[],
  field: string,
): Promise<readonly number[]> {
  if (lines.length === 0) return [];
  const { groups } = await peekPermissionContext(chat, realm);
  const inUse = [...groups.values()].filter(({ deactivated }) => !deactivated);
  return lines.map((line) => {
    const name = line.replace(/^@/, "").trim();
    const group = inUse.find((one) => one.name === name) ??
      inUse.find((one) => one.name.trim().toLowerCase() === name.toLowerCase());
    if (group === undefined) {
      throw new FormRefusal({ [field]: speech.say(words.permissions.noGroup, { name: name.slice(0, 100) }) });
    }
    return group.id;
  });
}
