import { durably } from "@/lib/store/durably.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";

/** Outcome of the last test email that an organization requested. */
interface TestMailRecord {
  /** Milliseconds since 1970 UTC. */
  readonly sent_at: number;
  /** Reason of the failure as codes; null when the mail server accepted the email. */
  readonly failure: string | null;
}

const testMailKey = (realmId: number): Key => [realmId, "test_mail"];

/** Reads the outcome of an organization's last test email; null before the first. */
export function readTestMail(store: Store, realmId: number): Promise<TestMailRecord | null> {
  return readRecord<TestMailRecord>(store.kv, testMailKey(realmId));
}

/** Stores the outcome of a test email. */
export async function recordTestMail(store: Store, realmId: number, record: TestMailRecord): Promise<void> {
  await durably(store, () => store.kv.set(testMailKey(realmId), record));
}
